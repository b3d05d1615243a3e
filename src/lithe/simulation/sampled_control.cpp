#include "lithe/simulation/sampled_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/continuous_control.hpp"
#include "lithe/simulation/instants.hpp"

namespace lithe::detail {
namespace {

constexpr double never_again = std::numeric_limits<double>::infinity();
bool is_read_continuously(const Model& model, const Sensor& sensor) {
  const std::vector<std::string> signals = sensor.signals();
  return std::any_of(model.continuous_controllers.begin(), model.continuous_controllers.end(),
                     [&](const ContinuousController& each) {
                       return std::any_of(each.inputs.begin(), each.inputs.end(), [&](const ControlInput& input) {
                         return std::find(signals.begin(), signals.end(), input.signal) != signals.end();
                       });
                     });
}

}  // namespace

double SampledControl::Clock::next() const {
  const double t = start + static_cast<double>(k) * period;
  return t < end - 1e-9 * period ? t : never_again;
}

SampledControl::SampledControl(const Model& model, const Plan& plan, Workspace& work, DriveSet& drives,
                               const State& start)
    : plan_(plan), ports_(model, plan, work, drives, start) {
  for (const SampledController& controller : model.sampled_controllers) add(controller, model, start);
  // A sensor without a period of its own is read as often as the fastest controller that listens.
  for (int i = 0; i < ports_.sensors().count(); ++i) {
    double period = model.sensors[i].sample;
    for (const Entry& entry : controllers_)
      for (const FoundInput& input : entry.inputs)
        if (model.sensors[i].sample == 0.0 && input.signal >= 0 && ports_.sensors().sensor_of(input.signal) == i)
          period = period == 0.0 ? entry.data->sample : std::min(period, entry.data->sample);
    follows_controllers_.push_back(model.sensors[i].sample == 0.0);
    is_live_.push_back(period == 0.0 && is_read_continuously(model, model.sensors[i]));
    if (period == 0.0) period = model.run.every;
    sensor_clocks_.push_back({is_live_.back() ? never_again : model.run.from, period, never_again});
  }
  samples_.resize(is_live_.size());
  next_ = any() ? model.run.from : never_again;
}

void SampledControl::add(const SampledController& controller, const Model& model, const State& start) {
  const auto refuse = [&](const std::string& why) {
    throw MechanismError(controller.name, fmt::format("controller '{}': {}", controller.name, why));
  };
  if (!(controller.sample > 0.0)) refuse("its sample time must be positive");
  if (!controller.begin) refuse("it has no law");
  Entry entry;
  entry.data = &controller;
  const bool waits = std::isinf(controller.from) && is_started_by_event(model, controller.name);
  entry.clock = {waits ? never_again : std::max(controller.from, model.run.from), controller.sample, controller.until};
  entry.until = controller.until;
  entry.is_off = waits;
  entry.inputs = ports_.find(controller.inputs, controller.name);
  entry.driven = ports_.driven_speeds(controller.drives, controller.name);
  for (std::size_t i = 0; i < entry.driven.size(); ++i) {
    const OutputLimits limits = i < controller.limits.size() ? controller.limits[i] : OutputLimits{};
    entry.outputs.emplace_back(limits);
    entry.low.push_back(limits.low);
    entry.high.push_back(limits.high);
  }
  entry.given.resize(entry.inputs.size());
  entry.asked.resize(entry.driven.size());
  begin(entry, start);
  const std::size_t states = entry.system->state().size();
  if (!controller.memory.empty() && controller.memory.size() != states)
    refuse(fmt::format("it has {} states, but {} are given", states, controller.memory.size()));
  controllers_.push_back(std::move(entry));
}

void SampledControl::begin(Entry& entry, const State& state) {
  entry.system = entry.data->begin({plan_, state});
  entry.system->set_limits(entry.low, entry.high);
  if (entry.data->memory.size() == entry.system->state().size() && !entry.data->memory.empty())
    entry.system->resume(entry.data->memory);
}

bool SampledControl::switch_on(const std::string& name, const State& state) {
  for (Entry& entry : controllers_)
    if (entry.data->name == name) {
      begin(entry, state);
      entry.clock = {state.t, entry.data->sample, never_again};
      entry.until = never_again;
      entry.is_off = false;
      return true;
    }
  return false;
}

bool SampledControl::switch_off(const std::string& name, double t) {
  for (Entry& entry : controllers_)
    if (entry.data->name == name) {
      entry.clock.end = t;
      entry.is_off = true;
      entry.waiting.clear();
      for (HeldOutput& output : entry.outputs) output.set(t, 0.0);
      return true;
    }
  return false;
}

RunStatus SampledControl::act(const State& state, const VectorX& a, const Actions& actions) {
  const double t = state.t;
  for (Entry& entry : controllers_)
    while (!entry.waiting.empty() && is_now(entry.waiting.front().due, t)) {
      for (std::size_t i = 0; i < entry.outputs.size(); ++i) entry.outputs[i].set(t, entry.waiting.front().forces[i]);
      entry.waiting.pop_front();
    }
  for (int i = 0; i < ports_.sensors().count(); ++i) {
    const bool in_time = sensor_clocks_[i].is_due(t);
    if (in_time) ++sensor_clocks_[i].k;
    if (in_time || is_asked(i, t))
      ports_.sensors().sample(i, samples_[i]++, state, a, actions);
  }
  for (Entry& entry : controllers_) {
    if (entry.clock.is_due(t))
      if (RunStatus acted = act(entry, t); !acted) return acted;
    if (!entry.is_off && is_now(entry.until, t)) switch_off(entry.data->name, t);
  }
  find_next(t);
  return {};
}

/// A sensor without a period of its own is read whenever a controller that listens to it acts.
bool SampledControl::is_asked(int sensor, double t) const {
  if (!follows_controllers_[sensor]) return false;
  return std::any_of(controllers_.begin(), controllers_.end(), [&](const Entry& entry) {
    return entry.clock.is_due(t) && std::any_of(entry.inputs.begin(), entry.inputs.end(), [&](const FoundInput& input) {
             return input.signal >= 0 && ports_.sensors().sensor_of(input.signal) == sensor;
           });
  });
}

RunStatus SampledControl::act(Entry& entry, double t) {
  ++entry.clock.k;
  if (RunStatus known = gather(entry, t); !known) return known;
  std::fill(entry.asked.begin(), entry.asked.end(), 0.0);
  try {
    entry.system->sample(t, entry.given, entry.asked);
  } catch (const std::exception& error) {
    thrown_ = std::current_exception();
    return controller_failed(entry.data->name, t, error.what());
  } catch (...) {
    thrown_ = std::current_exception();
    return controller_failed(entry.data->name, t, "it threw something that is no std::exception");
  }
  for (const double force : entry.asked)
    if (!std::isfinite(force)) return controller_failed(entry.data->name, t, fmt::format("its force is {}", force));
  if (entry.data->delay > 0.0) {
    entry.waiting.push_back({t + entry.data->delay, entry.asked});
    return {};
  }
  for (std::size_t i = 0; i < entry.outputs.size(); ++i) entry.outputs[i].set(t, entry.asked[i]);
  return {};
}

/// The inputs of a controller at time t.
RunStatus SampledControl::gather(Entry& entry, double t) {
  for (std::size_t i = 0; i < entry.inputs.size(); ++i)
    entry.given[i] = entry.inputs[i].signal >= 0 ? ports_.sensors().value(entry.inputs[i].signal, t) : 0.0;
  return ports_.compare(entry.inputs, t, true, entry.given);
}

void SampledControl::find_next(double t) {
  next_ = never_again;
  const auto consider = [&](double instant) {
    if (!is_now(instant, t)) next_ = std::min(next_, instant);
  };
  for (const Clock& clock : sensor_clocks_) consider(clock.next());
  for (const Entry& entry : controllers_) {
    consider(entry.clock.next());
    if (!entry.waiting.empty()) consider(entry.waiting.front().due);
    if (!entry.is_off) consider(entry.until);
  }
  // A ramp that ends just before something else happens may as well end there.
  for (const Entry& entry : controllers_)
    for (const HeldOutput& output : entry.outputs)
      if (output.kink() < next_ - 1e-6 * entry.data->sample) consider(output.kink());
}

void SampledControl::add_forces(double t, VectorX& tau) const {
  for (const Entry& entry : controllers_)
    for (std::size_t i = 0; i < entry.driven.size(); ++i) tau[entry.driven[i]] += entry.outputs[i].at(t);
}

std::vector<std::string> SampledControl::columns(const RecordOptions& record) {
  std::vector<std::string> names;
  if (record.control) {
    names = ports_.sensors().columns();
    for (const Entry& entry : controllers_)
      for (const int speed : entry.driven)
        names.push_back(fmt::format("control.{}.{}", entry.data->name, plan_.speed_name(speed)));
  }
  if (record.control_states)
    for (const Entry& entry : controllers_)
      for (std::size_t k = 0; k < entry.system->state().size(); ++k)
        names.push_back(fmt::format("control.{}.state.{}", entry.data->name, k + 1));
  return names;
}

void SampledControl::put(const State& state, const VectorX& a, const Actions& actions, const RecordOptions& record,
                         std::vector<double>& values) {
  if (record.control) {
    for (int signal = 0; signal < ports_.sensors().signals(); ++signal)
      values.push_back(is_live_[ports_.sensors().sensor_of(signal)]
                           ? ports_.sensors().exact(signal, state, a, actions)
                           : ports_.sensors().value(signal, state.t));
    for (const Entry& entry : controllers_)
      for (const HeldOutput& output : entry.outputs) values.push_back(output.at(state.t));
  }
  if (record.control_states)
    for (const Entry& entry : controllers_) {
      const std::span<double> memory = entry.system->state();
      values.insert(values.end(), memory.begin(), memory.end());
    }
}

}  // namespace lithe::detail
