#pragma once
// Which joints play the same part: the knees of a robot with equal legs.

#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// A number per joint; joints with the same number cannot be told apart by their type, their motor, the masses of the
/// links around them and the way in which everything is connected. Geometry is not looked at.
std::vector<int> alike_joints(const Mechanism& mechanism);

}  // namespace lithe::detail
