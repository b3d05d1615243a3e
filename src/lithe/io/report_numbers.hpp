#pragma once
// Columns of results as the report page wants them: packed.

#include <string>
#include <vector>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// 32-bit floats, little-endian, base64.
std::string packed(const std::vector<float>& values);
std::string packed_column(const Results& results, int column, const std::vector<std::size_t>& rows);

}  // namespace lithe::detail
