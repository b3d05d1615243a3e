#pragma once
// What a column of results holds, and in which unit: pages and charts plot columns of one quantity together.

#include <string>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

struct Quantity {
  std::string group;  ///< "angles", "distances", "orientations", "elastic amplitudes", "speeds", ...
  std::string unit;   ///< "rad", "N m", "1"; empty when it cannot be known
};

/// What a column holds. Without a mechanism the name alone decides and angles cannot be told from distances.
Quantity quantity_of(const std::string& column, const Mechanism* mechanism);

}  // namespace lithe
