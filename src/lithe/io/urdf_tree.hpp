#pragma once
// URDF is a tree: every link but one has exactly one parent, and all hang together.

#include "lithe/io/urdf_robot.hpp"

namespace lithe::io {

/// Complains where it is not, and fills the root.
void check_urdf_tree(UrdfRobot& robot, Complaints& complaints);

}  // namespace lithe::io
