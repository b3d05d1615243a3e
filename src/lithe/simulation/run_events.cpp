#include "lithe/simulation/run_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/laws/suggestion.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

RunEvents::RunEvents(const Model& model, const Plan& plan, Workspace& work) {
  std::vector<std::string> names, quantities;
  for (const Event& event : model.events) names.push_back(event.name);
  for (const Event& event : model.events) {
    Entry entry{&event, -1, {}};
    if (!event.after.empty()) {
      const auto found = std::find(names.begin(), names.end(), event.after);
      if (found == names.end())
        throw MechanismError(event.name, fmt::format("event '{}' waits for an event '{}' that there is not{}",
                                                     event.name, event.after, did_you_mean(event.after, names)));
      entry.after = static_cast<int>(found - names.begin());
    }
    if (event.condition) {
      for (const std::string& quantity : event.condition->quantities) {
        const auto found = std::find(quantities.begin(), quantities.end(), quantity);
        entry.sources.push_back(1 + static_cast<int>(found - quantities.begin()));
        if (found == quantities.end()) quantities.push_back(quantity);
      }
    }
    entries_.push_back(std::move(entry));
  }
  if (!quantities.empty()) probe_.emplace(model, plan, work, quantities);
}

bool RunEvents::can_happen(const Entry& entry) const {
  if (entry.event->at_start) return false;
  if (entry.event->condition)
    return (entry.event->repeats || !entry.happened()) && (entry.after < 0 || entries_[entry.after].happened());
  // At an instant: once for each time that the other event has happened.
  return entry.last < instant_of(entry) && instant_of(entry) < never;
}

/// When an event without a condition happens, s; never, as far as is known.
double RunEvents::instant_of(const Entry& entry) const {
  if (entry.event->condition) return never;
  if (entry.event->time) return *entry.event->time;
  if (entry.after < 0 || (entry.happened() && !entry.event->repeats)) return never;
  const Entry& other = entries_[entry.after];
  return other.happened() ? other.last + entry.event->delay : never;
}

RunStatus RunEvents::evaluate(const State& state, Equations& equations, VectorOut values) {
  const double* quantities = nullptr;
  for (int i = 0; i < count(); ++i) {
    const Entry& entry = entries_[i];
    if (!can_happen(entry)) {
      values[i] = 1.0;
    } else if (!entry.event->condition) {
      values[i] = state.t - instant_of(entry);
    } else {
      if (!entry.sources.empty() && quantities == nullptr) {
        if (RunStatus evaluated = equations.evaluate(state); !evaluated) return evaluated;
        quantities = probe_
                         ->values(state, equations.accelerations(), equations.acting(),
                                  equations.holds().empty() ? nullptr : &equations.holds().forces())
                         .data();
      }
      variables_.assign(1, state.t);
      for (const int source : entry.sources) variables_.push_back(quantities[source]);
      values[i] = entry.event->condition->value.value_at(variables_);
      if (!std::isfinite(values[i]))
        refusal_ = fmt::format("the condition of event '{}' ({}) is not a number at t = {:.6g} s", entry.event->name,
                               entry.event->condition->value.text(), state.t);
      if (!refusal_.empty()) return RunStatus::refused(refusal_);
    }
  }
  return {};
}

void RunEvents::passed(int function, bool rises, double t) {
  Entry& entry = entries_[function];
  if (!can_happen(entry)) return;
  if (entry.event->condition) {
    const EventCondition::Direction direction = entry.event->condition->direction;
    if (direction == (rises ? EventCondition::Direction::falls : EventCondition::Direction::rises)) return;
  }
  entry.last = t;
  due_.push_back(function);
}

void RunEvents::begin(double t) {
  for (int i = 0; i < count(); ++i) {
    Entry& entry = entries_[i];
    if (!entry.event->at_start && !(entry.event->time && *entry.event->time == t)) continue;
    entry.last = t;
    due_.push_back(i);
  }
}

bool RunEvents::ends_run() const {
  return std::any_of(due_.begin(), due_.end(), [&](int i) {
    const std::vector<EventAction>& actions = entries_[i].event->actions;
    return std::any_of(actions.begin(), actions.end(),
                       [](const EventAction& action) { return action.kind == EventAction::Kind::end; });
  });
}

std::vector<const Event*> RunEvents::take_due() {
  std::vector<const Event*> due;
  for (const int i : due_) due.push_back(entries_[i].event);
  due_.clear();
  return due;
}

void RunEvents::add_instants(double from, double until, std::vector<double>& times) const {
  const double apart = tolerance::computed * std::max({std::abs(from), std::abs(until), until - from});
  for (const Entry& entry : entries_) {
    const double t = instant_of(entry);
    if (!can_happen(entry) || !(t > from + apart) || !(t < until - apart)) continue;
    // A kink of a law that the clock cannot tell from it is the same instant.
    std::erase_if(times, [&](double other) { return std::abs(other - t) <= apart; });
    times.push_back(t);
  }
  std::sort(times.begin(), times.end());
}

void RunEvents::judge(Audit& audit) const {
  for (const Entry& entry : entries_)
    if (!entry.happened()) audit.notes.push_back(fmt::format("event '{}' did not happen", entry.event->name));
}

}  // namespace lithe::detail
