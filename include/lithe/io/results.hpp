#pragma once
// Results on disk: HDF5 written while the run goes on, and CSV; the audit as text.

#include <memory>
#include <string>

#include "lithe/simulation/simulate.hpp"

namespace lithe {

struct OutputOptions {
  bool any_size = false;  ///< also more than 20 GB, which otherwise counts as a mistake
};

/// HDF5: /time series/data (rows x columns, chunked, growing), /columns, attributes with model text, version, options;
/// /audit at the end. Rows are streamed, and flushed at least every second, to "PATH.partial"; with finish() that takes
/// the name `path`, and an earlier file of that name is replaced then and not before. What a killed run has flushed
/// stays in PATH.partial. Both throw ResultsError: for a name that is no plain file or is an input of the model, for
/// rows that do not fit on the disk, for a second writer, and for a write that fails.
std::unique_ptr<RecordSink> hdf5_sink(const std::string& path, const OutputOptions& options = {});
/// "-" is stdout.
std::unique_ptr<RecordSink> csv_sink(const std::string& path, const OutputOptions& options = {});
/// Hands every call to both.
std::unique_ptr<RecordSink> tee_sink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b);

/// The audit as one JSON object.
std::string audit_json(const Audit& audit);

}  // namespace lithe
