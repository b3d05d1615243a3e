#pragma once
// Rules of motors and cylinders.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

std::vector<MapRules> motor_sections();
std::vector<MapRules> cylinder_sections();

}  // namespace lithe::io
