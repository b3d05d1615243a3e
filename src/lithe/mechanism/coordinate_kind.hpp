#pragma once
// Which scalar coordinates of joints are angles and which are distances.

#include "lithe/mechanism/joint.hpp"

namespace lithe::detail {

/// Whether a scalar coordinate of a joint is an angle (rad) and not a distance or part of a quaternion.
inline bool is_angle(JointType type, int coordinate) {
  return type == JointType::revolute || type == JointType::universal ||
         (type == JointType::cylindrical && coordinate == 0) || (type == JointType::planar && coordinate == 2);
}

/// Whether a speed of a joint is that of a distance (m/s).
inline bool is_distance(JointType type, int speed) {
  return type == JointType::prismatic || (type == JointType::cylindrical && speed == 1) ||
         (type == JointType::planar && speed < 2) || (type == JointType::free && speed < 3);
}

}  // namespace lithe::detail
