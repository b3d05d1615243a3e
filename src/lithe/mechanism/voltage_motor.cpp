#include "lithe/mechanism/voltage_motor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/mechanism/motor_law.hpp"

namespace lithe {

std::vector<std::string> motor_columns(const Motor& motor) {
  std::vector<std::string> columns{"torque", "speed", "power", "loss"};
  if (motor.has_windings()) columns.insert(columns.end(), {"current", "voltage", "electrical"});
  return columns;
}

std::vector<std::string> VoltageMotor::states() const {
  if (motor_.windings.inductance == 0.0) return {};
  return {"current"};
}

std::vector<std::string> VoltageMotor::columns() const { return motor_columns(motor_); }

bool VoltageMotor::is_limited() const {
  return std::isfinite(motor_.windings.current) || std::isfinite(motor_.torque) || !motor_.curve.empty();
}

std::vector<Element::Switch> VoltageMotor::switches() const {
  if (!is_limited()) return {};
  return {{"is within its largest current", "is at its largest current"}};
}

void VoltageMotor::check(const Mechanism& /*mechanism*/) const {
  if (!motor_.has_windings())
    throw MechanismError(name(), fmt::format("motor of joint '{}': a voltage needs windings; give their resistance and "
                                             "constant",
                                             name()));
}

double VoltageMotor::largest_current(double speed) const {
  return std::min(motor_.windings.current, largest_torque(motor_, speed) / motor_.windings.constant);
}

void VoltageMotor::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const Windings& w = motor_.windings;
  const double speed = motor_.ratio * motion.v[0], induced = w.constant * speed;
  const double given = std::clamp(law_.at(motion.t).value, -w.voltage, w.voltage);
  double voltage = given;
  if (is_limited()) {
    const double span = w.resistance * largest_current(speed);
    voltage = std::clamp(std::clamp(given, induced - span, induced + span), -w.voltage, w.voltage);
    answer.switches[0] = span - std::abs(given - induced);
  }
  double current = (voltage - induced) / w.resistance;
  if (w.inductance > 0.0) {
    current = motion.x[0];
    answer.rates[0] = (voltage - induced - w.resistance * current) / w.inductance;
  }
  const double torque = w.constant * current, lossless = motor_.ratio * torque;
  const double force = lossless * gear_share(motor_.efficiency, motor_.ratio, lossless, motion.v[0]);
  answer.forces[0] = force;
  answer.stored = 0.5 * w.inductance * current * current;
  answer.lost = w.resistance * current * current + (lossless - force) * motion.v[0];
  answer.supplied = voltage * current;
  const double values[] = {torque, speed, torque * speed, answer.lost, current, voltage, answer.supplied};
  std::copy(std::begin(values), std::end(values), answer.values.begin());
}

}  // namespace lithe
