#pragma once
// What stands in a URDF besides links, joints and transmissions: loops of URDF+, Drake and Isaac Sim, couplings and
// force elements, and what is meant for other programs.

#include <string>
#include <vector>

#include "lithe/io/urdf_robot.hpp"

class TiXmlElement;

namespace lithe::io {

class UrdfSource;

/// Reads one element of <robot> into the loops and couplings of the robot, or notes that it is left out.
void read_urdf_dialect(const TiXmlElement& element, UrdfSource& source, UrdfRobot& robot);

/// In the order of UrdfJoint::Type.
const std::vector<std::string>& urdf_joint_types();

}  // namespace lithe::io
