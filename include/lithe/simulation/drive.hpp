#pragma once
// What acts at an actuated joint.

#include <string>
#include <vector>

#include "lithe/laws/law.hpp"

namespace lithe {

/// The force at one speed is the sum of all parts that are switched on:
///   torque(t) + feed-forward(t) + kp (follow - q) + kd (follow' - v).
/// With `prescribed`, the joint follows `follow` exactly and the force is whatever that needs.
struct Drive {
  std::string joint;
  int coordinate = 0;         ///< which scalar coordinate of the joint
  Law follow;                 ///< wanted motion; empty when the drive only gives a force
  bool prescribed = false;    ///< by: motion
  bool feed_forward = false;  ///< by: inverse-dynamics (rigid-inverse-dynamics is the same for rigid links)
  double kp = 0.0, kd = 0.0;  ///< by: pd
  Law torque;                 ///< extra force law

  bool wants_motion() const { return !follow.empty(); }
};

/// Time laws of one LoadPort.
struct LoadLaws {
  std::string load;
  Law force[3], moment[3];
};

}  // namespace lithe
