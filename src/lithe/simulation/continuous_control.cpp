#include "lithe/simulation/continuous_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/simulation/instants.hpp"

namespace lithe::detail {
namespace {

/// Where a motor stands for a controller.
int driven_speed(const Plan& plan, const DriveSet& drives, const std::string& controller, const std::string& name) {
  const int speed = speed_named(plan, name);
  const auto refuse = [&](const std::string& why) {
    throw MechanismError(controller, fmt::format("controller '{}': {}", controller, why));
  };
  if (std::find(drives.prescribed().begin(), drives.prescribed().end(), speed) != drives.prescribed().end())
    refuse(fmt::format(
        "the motion of '{}' is prescribed ('by: motion'), so no force can act there; say 'by: controllers'", name));
  if (speed < plan.nv() && plan.is_bending(speed))
    refuse(fmt::format("'{}' is an elastic coordinate, which has no motor", name));
  return speed;
}

}  // namespace

std::vector<double> controller_breakpoints(const Model& model) {
  std::vector<double> times;
  for (const ContinuousController& controller : model.continuous_controllers)
    for (const ControlInput& input : controller.inputs)
      for (const double kink : input.minus.breakpoints()) times.push_back(kink);
  return times;
}

bool is_started_by_event(const Model& model, const std::string& controller) {
  return std::any_of(model.events.begin(), model.events.end(), [&](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      return action.kind == EventAction::Kind::start && action.controller == controller;
    });
  });
}

ContinuousControl::ContinuousControl(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives,
                                     const State& start)
    : plan_(plan),
      work_(work),
      wanted_(start),
      wanted_a_(VectorX::Zero(plan.nv())),
      wanted_actions_(plan),
      drives_(&drives),
      still_(plan) {
  if (!model.continuous_controllers.empty()) sensors_.emplace(model, plan, work);
  for (const ContinuousController& controller : model.continuous_controllers) add(controller, model, start);
}

void ContinuousControl::add(const ContinuousController& controller, const Model& model, const State& start) {
  const auto refuse = [&](const std::string& why) {
    throw MechanismError(controller.name, fmt::format("controller '{}': {}", controller.name, why));
  };
  if (!controller.begin) refuse("it has no law");
  Entry entry;
  entry.data = &controller;
  entry.until = controller.until;
  entry.waits = std::isinf(controller.from) && is_started_by_event(model, controller.name);
  for (const ControlInput& input : controller.inputs) {
    Input resolved;
    resolved.data = &input;
    if (!input.signal.empty()) {
      resolved.signal = sensors_->signal(input.signal, controller.name);
      const Sensor& sensor = model.sensors[static_cast<std::size_t>(sensors_->sensor_of(resolved.signal))];
      resolved.late = facts_of(sensor.kind).needs_accelerations;
      if (sensor.sample > 0.0 || sensor.delay > 0.0 || sensor.noise > 0.0 || sensor.resolution > 0.0)
        refuse(
            fmt::format("it acts in continuous time, but sensor '{}' has samples, delay, noise or resolution; give the "
                        "controller a sample time",
                        sensor.name));
    }
    if (!input.wanted.empty()) {
      resolved.wanted = speed_named(plan_, input.wanted);
      if (!drives_->wants_motion_of(resolved.wanted))
        refuse(fmt::format("no drive wants a motion of '{}'; give the joint a drive with 'follow', by: controllers",
                           input.wanted));
    }
    entry.inputs.push_back(resolved);
  }
  std::vector<double> low, high;
  for (std::size_t i = 0; i < controller.drives.size(); ++i) {
    entry.driven.push_back(driven_speed(plan_, *drives_, controller.name, controller.drives[i]));
    const OutputLimits& limits = controller.limits.at(i);
    if (std::isfinite(limits.rate)) refuse("a limit of the rate belongs to controllers with a sample time");
    low.push_back(limits.low);
    high.push_back(limits.high);
  }
  if (entry.driven.empty()) refuse("it drives nothing");
  entry.system = controller.begin({plan_, start});
  entry.system->set_limits(low, high);
  const bool all_lag =
      std::all_of(controller.limits.begin(), controller.limits.end(), [](const auto& each) { return each.lag > 0.0; });
  for (std::size_t i = 0; i < entry.inputs.size() && !all_lag; ++i)
    if (entry.inputs[i].late && entry.system->passes(static_cast<int>(i)))
      refuse(
          fmt::format("'{}' depends on the forces of the same instant, which depend on it; give the controller a "
                      "sample time, a 'lag', or a low-pass filter",
                      controller.inputs[i].signal));
  entry.own = entry.system->states();
  entry.first = states_;
  entry.states = entry.own + static_cast<int>(std::count_if(controller.limits.begin(), controller.limits.end(),
                                                            [](const auto& each) { return each.lag > 0.0; }));
  if (!controller.memory.empty() && std::ssize(controller.memory) != entry.states)
    refuse(fmt::format("it has {} states, but {} are given", entry.states, controller.memory.size()));
  states_ += entry.states;
  entry.given.resize(entry.inputs.size());
  entry.asked.resize(entry.driven.size());
  entry.own_rates.resize(static_cast<std::size_t>(entry.own));
  controllers_.push_back(std::move(entry));
}

void ContinuousControl::make_room(State& state) const {
  const Eigen::Index before = state.x.size();
  state.x.conservativeResize(before + states_);
  state.x.tail(states_).setZero();
}

std::span<double> ContinuousControl::memory(const Entry& entry, VectorX& x) const {
  return {x.data() + x.size() - states_ + entry.first, static_cast<std::size_t>(entry.states)};
}

std::span<const double> ContinuousControl::memory(const Entry& entry, const VectorX& x) const {
  return {x.data() + x.size() - states_ + entry.first, static_cast<std::size_t>(entry.states)};
}

RunStatus ContinuousControl::begin(Entry& entry, State& state) {
  entry.is_on = true;
  if (RunStatus known = gather(entry, state, nullptr, nullptr); !known) return known;
  const std::span<double> x = memory(entry, state.x);
  std::fill(x.begin(), x.end(), 0.0);
  entry.system->begin(entry.given, x.first(static_cast<std::size_t>(entry.own)));
  std::copy(entry.data->memory.begin(), entry.data->memory.end(), x.begin());
  return {};
}

double ContinuousControl::next(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Entry& entry : controllers_)
    for (const double due : {entry.waits ? next : entry.data->from, entry.until})
      if (!is_now(due, t)) next = std::min(next, due);
  return next;
}

RunStatus ContinuousControl::switch_by_time(State& state, bool& changed) {
  changed = false;
  for (Entry& entry : controllers_) {
    if (entry.is_on && is_now(entry.until, state.t)) {
      switch_off(entry.data->name, state);
      changed = true;
    }
    const bool comes = !entry.waits && is_now(entry.data->from, state.t) && !is_now(entry.until, state.t);
    if (entry.is_on || !comes) continue;
    entry.waits = changed = true;  // from now on only events switch it on
    if (RunStatus begun = begin(entry, state); !begun) return begun;
  }
  return {};
}

bool ContinuousControl::switch_on(const std::string& name, State& state, RunStatus& status) {
  for (Entry& entry : controllers_)
    if (entry.data->name == name) {
      entry.waits = true;
      entry.until = std::numeric_limits<double>::infinity();
      status = begin(entry, state);
      return true;
    }
  return false;
}

bool ContinuousControl::switch_off(const std::string& name, State& state) {
  for (Entry& entry : controllers_)
    if (entry.data->name == name) {
      entry.is_on = false;
      entry.waits = true;
      const std::span<double> x = memory(entry, state.x);
      std::fill(x.begin(), x.end(), 0.0);
      return true;
    }
  return false;
}

RunStatus ContinuousControl::gather(Entry& entry, const State& state, const VectorX* a, const Actions* actions) {
  const bool expects =
      std::any_of(entry.inputs.begin(), entry.inputs.end(), [](const Input& input) { return input.data->expected; });
  if (expects)
    if (RunStatus known = drives_->wanted_state(state.t, work_, wanted_, wanted_a_, wanted_actions_); !known)
      return known;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const Input& input = entry.inputs[i];
    double value = 0.0;
    bool turns = false;
    if (input.signal >= 0 && (a != nullptr || !input.late))
      value = sensors_->exact(input.signal, state, a != nullptr ? *a : none_, actions != nullptr ? *actions : still_,
                              turns);
    if (input.data->expected && (a != nullptr || !input.late)) {
      value -= sensors_->expected(input.signal, wanted_, wanted_a_, wanted_actions_, turns);
      if (turns) value = std::remainder(value, 2.0 * std::numbers::pi);
    }
    if (!input.data->minus.empty()) value -= input.data->minus.at(drives_->law_time(state.t)).value;
    if (input.wanted >= 0) {
      Jet wanted;
      if (RunStatus known = drives_->wanted_motion(input.wanted, state.t, wanted); !known) return known;
      const int derivative = input.data->derivative;
      value -= derivative == 0 ? wanted.value : derivative == 1 ? wanted.rate : wanted.second;
      // The angle of a joint that closes a loop is known up to whole turns.
      if (turns && derivative == 0) value = std::remainder(value, 2.0 * std::numbers::pi);
    }
    entry.given[i] = input.data->reversed ? -value : value;
  }
  return {};
}

/// What the law asks for at a state, and the rates of its own states.
RunStatus ContinuousControl::ask(Entry& entry, const State& state, const VectorX* a, const Actions* actions) {
  if (RunStatus known = gather(entry, state, a, actions); !known) return known;
  try {
    const std::span<const double> x = memory(entry, state.x);
    entry.system->evaluate(drives_->law_time(state.t), x.first(static_cast<std::size_t>(entry.own)), entry.given,
                           entry.asked, entry.own_rates);
  } catch (const std::runtime_error& error) {
    return refuse(entry, state.t, error.what());
  } catch (const std::exception& error) {
    thrown_ = std::current_exception();
    return refuse(entry, state.t, error.what());
  } catch (...) {
    thrown_ = std::current_exception();
    return refuse(entry, state.t, "it threw something that is no std::exception");
  }
  for (std::size_t i = 0; i < entry.asked.size(); ++i) {
    if (!std::isfinite(entry.asked[i])) return refuse(entry, state.t, fmt::format("its force is {}", entry.asked[i]));
    const OutputLimits& limits = entry.data->limits[i];
    entry.asked[i] = std::clamp(entry.asked[i], limits.low, limits.high);
  }
  return {};
}

RunStatus ContinuousControl::refuse(const Entry& entry, double t, const std::string& why) {
  return RunStatus::refused(fmt::format("controller '{}' failed at t = {:.6g} s: {}", entry.data->name, t, why));
}

double ContinuousControl::force(const Entry& entry, std::size_t output, std::span<const double> x) const {
  if (entry.data->limits[output].lag == 0.0) return entry.asked[output];
  auto place = static_cast<std::size_t>(entry.own);
  for (std::size_t i = 0; i < output; ++i)
    if (entry.data->limits[i].lag > 0.0) ++place;
  return x[place];
}

RunStatus ContinuousControl::add_forces(const State& state, VectorX& tau) {
  for (Entry& entry : controllers_) {
    if (!entry.is_on) continue;
    if (RunStatus asked = ask(entry, state, nullptr, nullptr); !asked) return asked;
    for (std::size_t i = 0; i < entry.driven.size(); ++i)
      tau[entry.driven[i]] += force(entry, i, memory(entry, state.x));
  }
  return {};
}

RunStatus ContinuousControl::rates(const State& state, const VectorX& a, const Actions& actions, VectorOut rates) {
  rates.setZero();
  for (Entry& entry : controllers_) {
    if (!entry.is_on || entry.states == 0) continue;
    if (RunStatus asked = ask(entry, state, &a, &actions); !asked) return asked;
    const std::span<const double> x = memory(entry, state.x);
    for (int i = 0; i < entry.own; ++i) rates[entry.first + i] = entry.own_rates[static_cast<std::size_t>(i)];
    int place = entry.own;
    for (std::size_t i = 0; i < entry.driven.size(); ++i) {
      const double lag = entry.data->limits[i].lag;
      if (lag == 0.0) continue;
      rates[entry.first + place] = (entry.asked[i] - x[static_cast<std::size_t>(place)]) / lag;
      ++place;
    }
  }
  return {};
}

std::vector<std::string> ContinuousControl::columns(const RecordOptions& record) const {
  std::vector<std::string> names;
  for (const Entry& entry : controllers_)
    for (const int speed : entry.driven)
      if (record.control) names.push_back(fmt::format("control.{}.{}", entry.data->name, plan_.speed_name(speed)));
  for (const Entry& entry : controllers_)
    for (int k = 0; k < entry.states && record.control_states; ++k)
      names.push_back(fmt::format("control.{}.state.{}", entry.data->name, k + 1));
  return names;
}

void ContinuousControl::put(const State& state, const RecordOptions& record, std::vector<double>& values) {
  for (Entry& entry : controllers_) {
    if (!record.control) break;
    const bool acts = entry.is_on && ask(entry, state, nullptr, nullptr);
    for (std::size_t i = 0; i < entry.driven.size(); ++i)
      values.push_back(acts ? force(entry, i, memory(entry, state.x)) : 0.0);
  }
  for (const Entry& entry : controllers_) {
    if (!record.control_states) break;
    const std::span<const double> x = memory(entry, state.x);
    values.insert(values.end(), x.begin(), x.end());
  }
}

}  // namespace lithe::detail
