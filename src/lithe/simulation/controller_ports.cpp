#include "lithe/simulation/controller_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe::detail {

ControllerPorts::ControllerPorts(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives,
                                 const State& start)
    : plan_(plan),
      work_(work),
      drives_(&drives),
      sensors_(model, plan, work),
      wanted_(start),
      wanted_a_(VectorX::Zero(plan.nv())),
      wanted_actions_(plan) {}

std::vector<FoundInput> ControllerPorts::find(const std::vector<ControlInput>& inputs,
                                              const std::string& controller) const {
  std::vector<FoundInput> all;
  for (const ControlInput& input : inputs) {
    FoundInput found;
    found.data = &input;
    if (!input.signal.empty()) {
      found.signal = sensors_.signal(input.signal, controller);
      found.late = facts_of(sensors_.sensor(found.signal).kind).needs_accelerations;
    }
    if (!input.wanted.empty()) {
      found.wanted = speed_named(plan_, input.wanted);
      if (!drives_->wants_motion_of(found.wanted))
        throw MechanismError(controller,
                             fmt::format("controller '{}': no drive wants a motion of '{}'; give the joint a "
                                         "drive with 'follow', by: controllers",
                                         controller, input.wanted));
    }
    all.push_back(found);
  }
  return all;
}

std::vector<int> ControllerPorts::driven_speeds(const std::vector<std::string>& names,
                                                const std::string& controller) const {
  const auto refuse = [&](const std::string& why) {
    throw MechanismError(controller, fmt::format("controller '{}': {}", controller, why));
  };
  if (names.empty()) refuse("it drives nothing");
  std::vector<int> speeds;
  for (const std::string& name : names) {
    const int speed = speed_named(plan_, name);
    if (std::find(drives_->prescribed().begin(), drives_->prescribed().end(), speed) != drives_->prescribed().end())
      refuse(fmt::format(
          "the motion of '{}' is prescribed ('by: motion'), so no force can act there; say 'by: controllers'", name));
    if (speed < plan_.nv() && plan_.is_bending(speed))
      refuse(fmt::format("'{}' is an elastic coordinate, which has no motor", name));
    speeds.push_back(speed);
  }
  return speeds;
}

RunStatus ControllerPorts::compare(const std::vector<FoundInput>& inputs, double t, bool late_ones_known,
                                   std::vector<double>& given) {
  // The angle of a joint that closes a loop is known up to whole turns.
  const auto less = [&](double value, double wanted, bool turns) {
    return turns ? std::remainder(value - wanted, 2.0 * std::numbers::pi) : value - wanted;
  };
  const bool expects =
      std::any_of(inputs.begin(), inputs.end(), [](const FoundInput& input) { return input.data->expected; });
  if (expects)
    if (RunStatus known = drives_->wanted_state(t, work_, wanted_, wanted_a_, wanted_actions_); !known) return known;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const FoundInput& input = inputs[i];
    const bool turns = input.signal >= 0 && sensors_.turns(input.signal);
    double& value = given[i];
    if (input.data->expected && (late_ones_known || !input.late))
      value = less(value, sensors_.expected(input.signal, wanted_, wanted_a_, wanted_actions_), turns);
    if (!input.data->minus.empty()) value -= input.data->minus.at(drives_->law_time(t)).value;
    if (input.wanted >= 0) {
      Jet wanted;
      if (RunStatus known = drives_->wanted_motion(input.wanted, t, wanted); !known) return known;
      const int derivative = input.data->derivative;
      const double target = derivative == 0 ? wanted.value : derivative == 1 ? wanted.rate : wanted.second;
      value = less(value, target, turns && derivative == 0);
    }
    if (input.data->reversed) value = -value;
  }
  return {};
}

RunStatus controller_failed(const std::string& controller, double t, const std::string& why) {
  return RunStatus::refused(fmt::format("controller '{}' failed at t = {:.6g} s: {}", controller, t, why));
}

}  // namespace lithe::detail
