#pragma once
// How large a result will be, before the run begins.

#include <cstddef>
#include <string>

#include "lithe/io/results.hpp"
#include "lithe/simulation/run.hpp"

namespace lithe::detail {

/// Throws ResultsError when the rows of the run do not fit on the disk of `path`, or when they are so many that it can
/// only be a mistake (unless the options allow any size). `bytes_per_number` depends on the format.
void require_sensible_size(const std::string& path, const RunOptions& run, std::size_t columns, double bytes_per_number,
                           const OutputOptions& options);

}  // namespace lithe::detail
