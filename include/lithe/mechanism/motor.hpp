#pragma once
// A motor with its gear, as data. Motor side: the rotor; joint side: behind the gear.

#include <limits>
#include <vector>

namespace lithe {

/// A point of a torque-speed curve, motor side: the largest torque (N m) at a speed (rad/s).
struct TorqueAtSpeed {
  double speed = 0.0, torque = 0.0;
};

/// Windings of a direct-current motor: voltage = resistance i + inductance i' + constant (speed), torque = constant i.
struct Windings {
  double resistance = 0.0;                                   ///< ohm
  double constant = 0.0;                                     ///< N m/A, and V s/rad
  double inductance = 0.0;                                   ///< H; 0: the current follows at once
  double voltage = std::numeric_limits<double>::infinity();  ///< largest, V
  double current = std::numeric_limits<double>::infinity();  ///< largest, A
};

struct Motor {
  double rotor = 0.0;       ///< inertia about its axis, kg m^2
  double ratio = 1.0;       ///< radians of the rotor per radian (or metre) of the joint; either sign
  double efficiency = 1.0;  ///< of the gear, driving and driven alike
  /// Elastic gear between rotor and joint, joint side: N m/rad or N/m, N m s/rad or N s/m. Without: rigid.
  double stiffness = 0.0, damping = 0.0;
  double backlash = 0.0;                                    ///< whole play of an elastic gear, joint side, rad or m
  double torque = std::numeric_limits<double>::infinity();  ///< largest, motor side, N m
  std::vector<TorqueAtSpeed> curve;                         ///< by rising speed; empty: `torque` at every speed
  Windings windings;

  bool is_elastic() const { return stiffness > 0.0; }
  bool has_windings() const { return windings.constant != 0.0; }
};

}  // namespace lithe
