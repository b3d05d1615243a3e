#pragma once
// What may stand in an identification file.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

/// The first section is the file.
const std::vector<MapRules>& identification_rules();

}  // namespace lithe::io
