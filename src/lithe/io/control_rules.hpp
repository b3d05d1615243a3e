#pragma once
// Rules of sensors and controllers, and of shaped motions.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

std::vector<MapRules> control_sections();
std::vector<MapRules> shape_sections();
std::vector<NamedType> control_types();

}  // namespace lithe::io
