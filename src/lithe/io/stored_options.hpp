#pragma once
// The options of a run as a result keeps them.

#include <string>

#include "lithe/simulation/run.hpp"

namespace lithe::detail {

/// JSON, by the names of the command line.
std::string stored_options(const RunOptions& run);

}  // namespace lithe::detail
