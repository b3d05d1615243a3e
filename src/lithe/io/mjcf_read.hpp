#pragma once
// MJCF, the model file of MuJoCo, as a robot like that of a URDF.

#include <optional>
#include <string>

#include "lithe/io/urdf_robot.hpp"

class TiXmlElement;

namespace lithe::io {

/// The element <mujoco>; complaints carry `file`, which outlives them. Nothing after complaints.
std::optional<UrdfRobot> read_mjcf(const TiXmlElement& mujoco, const std::string& file, Complaints& complaints);

}  // namespace lithe::io
