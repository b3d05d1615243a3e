#pragma once
// What may stand in the side file of a URDF.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

/// The first one is the file itself.
const std::vector<MapRules>& urdf_side_rules();

}  // namespace lithe::io
