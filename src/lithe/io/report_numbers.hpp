#pragma once
// Columns of results as the report page wants them: packed, and with the group and unit under which they are plotted.

#include <string>
#include <vector>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// 32-bit floats, little-endian, base64.
std::string packed(const std::vector<float>& values);
std::string packed_column(const Results& results, int column, const std::vector<std::size_t>& rows);

struct Quantity {
  std::string group;  ///< "angles", "distances", "orientations", "elastic amplitudes", "speeds", ...
  std::string unit;   ///< "rad", "N m", "1"; empty when it cannot be known
};

/// What a column holds. Without a mechanism the name alone decides and angles cannot be told from distances.
Quantity quantity_of(const std::string& column, const Mechanism* mechanism);

}  // namespace lithe::detail
