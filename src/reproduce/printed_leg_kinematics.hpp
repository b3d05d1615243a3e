#pragma once
// Platform of a robot with three R-R-S legs whose links bend, by the equations of A. Fattah's thesis exactly as they
// are printed, (6.4) to (6.30): the tip of a link turns its successor by a first-order matrix (6.14a) that is not
// orthogonal and stands behind the tilt of the joint (6.11b), and the rates (6.23) are not those of that matrix. Its
// tables 6.2 and 6.3 were made so; the engine of Lithe turns frames by orthogonal matrices with their own rates.

#include <array>

#include "lithe/kinematics/motion.hpp"

namespace lithe::reproduce {

struct PrintedLegs {
  Vec3 knees = Vec3::Zero(), knee_rates = Vec3::Zero();  ///< rad, rad/s: the passive joints
  std::array<Vec3, 3> corners;                           ///< of the platform, ground axes (m)
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero();   ///< mean of the corners and its rate
  Mat3 axes = Mat3::Identity();                          ///< x from the first corner to the third, z normal
  Vec3 omega = Vec3::Zero();                             ///< of the platform (rad/s)
};

/// Motor angles and rates, elastic coordinates and their rates are those of the state; its knees start the iteration.
/// Throws CaseError when the mechanism is not three such legs, PhysicsError when the platform cannot be assembled.
PrintedLegs printed_legs(const Plan& plan, const State& state);

/// "printed.knee.N", "printed.knee-rate.N", "printed.corner.N.x", "printed.centre.x", "printed.velocity.x",
/// "printed.axes.x.y" (component x of axis y), "printed.omega.x". `words` is the name split at its dots.
double printed_quantity(const PrintedLegs& legs, const std::vector<std::string>& words);

}  // namespace lithe::reproduce
