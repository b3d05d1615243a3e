#pragma once
// Rules of laws that keep limits, and of paths.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

std::vector<MapRules> path_sections();

}  // namespace lithe::io
