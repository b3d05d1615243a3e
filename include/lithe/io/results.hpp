#pragma once
// Results on disk: HDF5 written while the run goes on, and CSV; the audit as text.

#include <memory>
#include <string>

#include "lithe/simulation/simulate.hpp"

namespace lithe {

/// HDF5: /time series/data (rows x columns, chunked, growing), /columns, attributes with model text, version, options;
/// /audit at the end. Rows are flushed at least every second, so an interrupted run keeps them. The file appears under
/// its own name only with the first row; an earlier file of that name is replaced then and not before.
std::unique_ptr<RecordSink> hdf5_sink(const std::string& path);
std::unique_ptr<RecordSink> csv_sink(const std::string& path);
/// Hands every call to both.
std::unique_ptr<RecordSink> tee_sink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b);

/// The audit as one JSON object.
std::string audit_json(const Audit& audit);

}  // namespace lithe
