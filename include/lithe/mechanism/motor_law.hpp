#pragma once
// What a motor and its gear do at an instant: limits of the torque, losses of the gear, current and voltage.
//
// Joint side: force (N m or N) and speed (rad/s or m/s) of the coordinate. Motor side: torque and speed of the rotor,
// torque = force / ratio before losses, speed = ratio (joint speed).
//
// Losses of the gear are friction in proportion to its load: of ratio (torque) the joint gets `efficiency` while the
// motor drives it, and 1/efficiency of it brakes the joint while that drives the motor. In between, over
// `efficient_speed` to both sides of rest, the share passes smoothly through 1, so that nothing jumps at rest.

#include "lithe/mechanism/motor.hpp"

namespace lithe {

/// Speed of the rotor from which on the losses of its gear are full, rad/s.
inline constexpr double efficient_speed = 1.0;

/// Part of the lossless force that the joint gets; `force` before or behind the losses, joint side.
double gear_share(double efficiency, double ratio, double force, double speed);

/// Torques that the motor can give at a speed of its rotor (rad/s): its largest torque there, and with windings what
/// the largest current and voltage allow. Faster than its voltage lets it turn, it can only brake.
struct TorqueRange {
  double least = 0.0, most = 0.0;  ///< N m

  double clip(double torque) const { return torque < least ? least : torque > most ? most : torque; }
};
TorqueRange torque_range(const Motor& motor, double motor_speed);

/// Largest torque of motor and curve at a speed, N m; infinite without both.
double largest_torque(const Motor& motor, double motor_speed);

/// Force at the joint when the drives ask for `asked` (joint side, before the losses): what the limits leave of it,
/// less the losses of a rigid gear.
double joint_force(const Motor& motor, double asked, double joint_speed);

/// The motor while the joint gets `force` behind the losses; the current follows the torque at once.
struct MotorInstant {
  double torque = 0.0;      ///< N m, motor side
  double speed = 0.0;       ///< rad/s, motor side
  double power = 0.0;       ///< of the shaft: torque times speed, W
  double loss = 0.0;        ///< of windings and gear, W
  double current = 0.0;     ///< A; with windings
  double voltage = 0.0;     ///< V
  double electrical = 0.0;  ///< voltage times current, W
};
MotorInstant motor_instant(const Motor& motor, double force, double joint_speed);

}  // namespace lithe
