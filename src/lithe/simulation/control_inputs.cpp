#include "lithe/simulation/control_inputs.hpp"

#include <fmt/format.h>

#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

/// What the drives want of a coordinate at the point, where the motors are as wanted.
double wanted_at(OperatingPoint& point, const std::string& name, int derivative) {
  const int speed = speed_named(point.plan(), name);
  if (derivative > 0) {
    if (speed >= point.plan().nv()) return 0.0;  // of joints that close loops only rest is known
    return derivative == 1 ? point.state().v[speed] : point.accelerations()[speed];
  }
  for (const auto& [coordinate, value] : point.pose())
    if (coordinate == name) return value;
  return 0.0;
}

}  // namespace

std::vector<std::string> sensor_columns(const Model& model) {
  std::vector<std::string> names;
  for (const Sensor& sensor : model.sensors)
    for (const std::string& signal : sensor.signals())
      names.push_back(fmt::format("{}.{}", facts_of(sensor.kind).name, signal));
  return names;
}

int signal_of(const std::vector<LinearModel::Signal>& sensors, const ControlInput& input) {
  if (input.signal.empty()) return -1;
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (sensors[i].name.substr(sensors[i].name.find('.') + 1) == input.signal) return static_cast<int>(i);
  throw MechanismError(input.signal, fmt::format("no sensor gives the signal '{}'", input.signal));
}

double nominal_input(OperatingPoint& point, const std::vector<LinearModel::Signal>& sensors,
                     const ControlInput& input) {
  if (input.expected) return 0.0;  // the sensor reads what it should
  const int signal = signal_of(sensors, input);
  double value = signal < 0 ? 0.0 : sensors[signal].value;
  if (!input.minus.empty()) value -= input.minus.at(point.state().t).value;
  if (!input.wanted.empty()) value -= wanted_at(point, input.wanted, input.derivative);
  return input.reversed ? -value : value;
}

}  // namespace lithe::detail
