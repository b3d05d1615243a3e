#include "lithe/simulation/continuous_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/simulation/instants.hpp"

namespace lithe::detail {

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
    : plan_(plan), ports_(model, plan, work, drives, start), still_(plan) {
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
  entry.inputs = ports_.find(controller.inputs, controller.name);
  for (const FoundInput& input : entry.inputs) {
    if (input.signal < 0) continue;
    const Sensor& sensor = ports_.sensors().sensor(input.signal);
    if (sensor.sample > 0.0 || sensor.delay > 0.0 || sensor.noise > 0.0 || sensor.resolution > 0.0)
      refuse(
          fmt::format("it acts in continuous time, but sensor '{}' has samples, delay, noise or resolution; give the "
                      "controller a sample time",
                      sensor.name));
  }
  entry.driven = ports_.driven_speeds(controller.drives, controller.name);
  std::vector<double> low, high;
  for (std::size_t i = 0; i < entry.driven.size(); ++i) {
    const OutputLimits& limits = controller.limits.at(i);
    if (std::isfinite(limits.rate)) refuse("a limit of the rate belongs to controllers with a sample time");
    low.push_back(limits.low);
    high.push_back(limits.high);
  }
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
  entry.own_rates.resize(entry.own);
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
  entry.system->begin(entry.given, x.first(entry.own));
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
  const bool has_forces = a != nullptr;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const FoundInput& input = entry.inputs[i];
    entry.given[i] =
        input.signal >= 0 && (has_forces || !input.late)
            ? ports_.sensors().exact(input.signal, state, has_forces ? *a : none_, has_forces ? *actions : still_)
            : 0.0;
  }
  return ports_.compare(entry.inputs, state.t, has_forces, entry.given);
}

/// What the law asks for at a state, and the rates of its own states.
RunStatus ContinuousControl::ask(Entry& entry, const State& state, const VectorX* a, const Actions* actions) {
  if (RunStatus known = gather(entry, state, a, actions); !known) return known;
  try {
    const std::span<const double> x = memory(entry, state.x);
    entry.system->evaluate(ports_.drives().law_time(state.t), x.first(entry.own), entry.given,
                           entry.asked, entry.own_rates);
  } catch (const std::runtime_error& error) {
    return controller_failed(entry.data->name, state.t, error.what());
  } catch (const std::exception& error) {
    thrown_ = std::current_exception();
    return controller_failed(entry.data->name, state.t, error.what());
  } catch (...) {
    thrown_ = std::current_exception();
    return controller_failed(entry.data->name, state.t, "it threw something that is no std::exception");
  }
  for (std::size_t i = 0; i < entry.asked.size(); ++i) {
    if (!std::isfinite(entry.asked[i]))
      return controller_failed(entry.data->name, state.t, fmt::format("its force is {}", entry.asked[i]));
    const OutputLimits& limits = entry.data->limits[i];
    entry.asked[i] = std::clamp(entry.asked[i], limits.low, limits.high);
  }
  return {};
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
    for (int i = 0; i < entry.own; ++i) rates[entry.first + i] = entry.own_rates[i];
    int place = entry.own;
    for (std::size_t i = 0; i < entry.driven.size(); ++i) {
      const double lag = entry.data->limits[i].lag;
      if (lag == 0.0) continue;
      rates[entry.first + place] = (entry.asked[i] - x[place]) / lag;
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
