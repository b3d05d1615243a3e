#include "lithe/mechanism/motor_law.hpp"

#include <algorithm>
#include <cmath>

namespace lithe {

double gear_share(double efficiency, double ratio, double force, double speed) {
  if (efficiency == 1.0) return 1.0;
  const double x = std::min(std::abs(ratio * speed) / efficient_speed, 1.0);
  const double full = 0.5 * x * (3.0 - x * x);  // slope zero where it is full
  const double way = std::copysign(full, force * speed);
  return way >= 0.0 ? 1.0 - (1.0 - efficiency) * way : 1.0 - (1.0 / efficiency - 1.0) * way;
}

double largest_torque(const Motor& motor, double motor_speed) {
  if (motor.curve.empty()) return motor.torque;
  const double speed = std::abs(motor_speed);
  const auto above = std::find_if(motor.curve.begin(), motor.curve.end(),
                                  [&](const TorqueAtSpeed& point) { return point.speed > speed; });
  if (above == motor.curve.begin()) return std::min(motor.torque, above->torque);
  const TorqueAtSpeed& below = *(above - 1);
  if (above == motor.curve.end()) return std::min(motor.torque, below.torque);
  const double part = (speed - below.speed) / (above->speed - below.speed);
  return std::min(motor.torque, below.torque + part * (above->torque - below.torque));
}

TorqueRange torque_range(const Motor& motor, double motor_speed) {
  const double most = largest_torque(motor, motor_speed);
  if (!motor.has_windings()) return {-most, most};
  const Windings& w = motor.windings;
  const auto torque_at = [&](double voltage) {
    const double current = (voltage - w.constant * motor_speed) / w.resistance;
    return std::clamp(w.constant * std::clamp(current, -w.current, w.current), -most, most);
  };
  return {torque_at(-w.voltage), torque_at(w.voltage)};
}

double joint_force(const Motor& motor, double asked, double joint_speed) {
  const TorqueRange range = torque_range(motor, motor.ratio * joint_speed);
  const double force = motor.ratio * range.clip(asked / motor.ratio);
  return force * gear_share(motor.efficiency, motor.ratio, force, joint_speed);
}

MotorInstant motor_instant(const Motor& motor, double force, double joint_speed) {
  MotorInstant now;
  now.speed = motor.ratio * joint_speed;
  const double share = gear_share(motor.efficiency, motor.ratio, force, joint_speed);
  now.torque = force / (motor.ratio * share);
  now.power = now.torque * now.speed;
  now.loss = (1.0 - share) * now.power;
  if (!motor.has_windings()) return now;
  const Windings& w = motor.windings;
  now.current = now.torque / w.constant;
  now.voltage = w.resistance * now.current + w.constant * now.speed;
  now.electrical = now.voltage * now.current;
  now.loss += w.resistance * now.current * now.current;
  return now;
}

}  // namespace lithe
