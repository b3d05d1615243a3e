#include "lithe/simulation/motor_duties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/mechanism/voltage_motor.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

constexpr double at_limit_within = 1e-9;  ///< part of the limit: clipped torques come back through the gear ratio

/// Mean of the square of what changes linearly from a to b.
double mean_square(double a, double b) { return (a * a + a * b + b * b) / 3.0; }

/// The motor of a VoltageMotor.
Motor motor_of(const Plan& plan, const std::string& name) {
  for (const auto& element : plan.mechanism().elements)
    if (const auto* motor = dynamic_cast<const VoltageMotor*>(element.get()); motor && motor->name() == name)
      return motor->motor();
  return {};
}

}  // namespace

MotorDuties::MotorDuties(const Model& model, const Plan& plan, bool rigid_gears) : nv_(plan.nv()) {
  const MotorSet motors(plan, rigid_gears);
  const std::vector<std::string> element_names = element_columns(plan);
  for (const int speed : plan.actuated_speeds()) {
    Watched each;
    each.name = driven_joint(plan.speed_name(speed));
    each.speed = speed;
    for (const MotorSet::Entry& entry : motors.entries())
      if (entry.speed == speed) each.motor = entry.motor;
    const auto own = std::find(element_names.begin(), element_names.end(), "motor." + each.name + ".torque");
    if (own != element_names.end()) {
      each.values = static_cast<int>(own - element_names.begin());
      each.motor = motor_of(plan, each.name);
    }
    each.imposed = std::any_of(model.drives.begin(), model.drives.end(), [&](const Drive& drive) {
      return drive.prescribed && speed_index(plan, drive.joint, drive.coordinate) == speed;
    });
    watched_.push_back(std::move(each));
  }
}

/// The motor whose columns are to be written; none for a joint without one.
const Motor* MotorDuties::recorded(const Watched& each, bool with_elements) {
  return each.motor && (with_elements || each.values < 0) ? &*each.motor : nullptr;
}

std::vector<std::string> MotorDuties::columns(bool with_elements) const {
  std::vector<std::string> columns;
  for (const Watched& each : watched_)
    if (const Motor* motor = recorded(each, with_elements))
      for (const std::string& what : motor_columns(*motor)) columns.push_back("motor." + each.name + "." + what);
  return columns;
}

void MotorDuties::put(bool with_elements, std::vector<double>& values) const {
  for (const Watched& each : watched_) {
    const Motor* motor = recorded(each, with_elements);
    if (motor == nullptr) continue;
    const MotorInstant& now = each.now;
    for (const double value : {now.torque, now.speed, now.power, now.loss}) values.push_back(value);
    if (motor->has_windings())
      for (const double value : {now.current, now.voltage, now.electrical}) values.push_back(value);
  }
}

bool MotorDuties::uses_cut_speeds() const {
  return std::any_of(watched_.begin(), watched_.end(), [&](const Watched& each) { return each.speed >= nv_; });
}

MotorInstant MotorDuties::instant(const Watched& each, const VectorX& v, const VectorX& cut_v, const VectorX& tau,
                                  const VectorX& elements) const {
  if (each.values >= 0) {
    const double* own = elements.data() + each.values;
    return {own[0], own[1], own[2], own[3], own[4], own[5], own[6]};
  }
  const double speed = each.speed < nv_ ? v[each.speed] : cut_v[each.speed - nv_];
  return motor_instant(each.motor.value_or(Motor{}), tau[each.speed], speed);
}

void MotorDuties::judge_limits(Watched& each) {
  each.was_at_limit = each.at_limit;
  each.at_limit = false;
  if (!each.motor) return;
  const TorqueRange range = torque_range(*each.motor, each.now.speed);
  const double torque = each.now.torque;
  const double over = std::max(torque - range.most, range.least - torque);
  const double size = std::max(std::abs(torque), at_limit_within);
  each.at_limit = over >= -at_limit_within * size;
  if (each.imposed && over > at_limit_within * size) each.worst_need = std::max(each.worst_need, std::abs(torque));
}

void MotorDuties::look(double t, const VectorX& v, const VectorX& cut_v, const VectorX& tau, const VectorX& elements) {
  const double h = begun_ ? t - last_ : 0.0;
  for (Watched& each : watched_) {
    each.before = each.now;
    each.now = instant(each, v, cut_v, tau, elements);
    judge_limits(each);
    MotorDuty& sums = each.sums;
    sums.peak_torque = std::max(sums.peak_torque, std::abs(each.now.torque));
    sums.peak_speed = std::max(sums.peak_speed, std::abs(each.now.speed));
    sums.peak_power = std::max(sums.peak_power, std::abs(each.now.power));
    if (each.at_limit && !each.ever_at_limit) {
      each.ever_at_limit = true;
      each.first_limit = t;
    }
    if (!begun_) continue;
    sums.rms_torque += h * mean_square(each.before.torque, each.now.torque);
    sums.energy += 0.5 * h * (each.before.power + each.now.power);
    sums.loss += 0.5 * h * (each.before.loss + each.now.loss);
    if (each.at_limit && each.was_at_limit) each.limit_seconds += h;
  }
  if (!begun_) first_ = t;
  last_ = t;
  begun_ = true;
}

void MotorDuties::judge(Audit& audit) const {
  const double span = last_ - first_;
  for (const Watched& each : watched_) {
    MotorDuty duty = each.sums;
    duty.rms_torque = span > 0.0 ? std::sqrt(duty.rms_torque / span) : duty.peak_torque;
    duty.mean_power = span > 0.0 ? duty.energy / span : each.now.power;
    audit.motors[each.name] = duty;
    if (each.worst_need > 0.0)
      audit.warnings.push_back(
          fmt::format("the imposed motion needs up to {:.4g} N m of motor '{}', first more than it has at t = {:.4g} s",
                      each.worst_need, each.name, each.first_limit));
    else if (each.ever_at_limit)
      audit.warnings.push_back(fmt::format("motor '{}' was at its limit from t = {:.4g} s for {:.4g} s", each.name,
                                           each.first_limit, each.limit_seconds));
  }
}

}  // namespace lithe::detail
