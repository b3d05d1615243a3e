#include "lithe/simulation/run_switches.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lithe::detail {
namespace {

constexpr int most_changes_at_once = 100;  ///< without progress
constexpr double no_progress = 1e-12;      ///< part of the time itself, or s

}  // namespace

RunSwitches::RunSwitches(const Plan& plan, Workspace& work, Equations& equations, RunEvents& events)
    : plan_(plan), work_(work), equations_(equations), events_(events), elements_(element_switches(plan)) {}

RunStatus RunSwitches::evaluate(const State& state, VectorX& all) {
  const auto count = std::ssize(elements_);
  all.resize(count + events_.count() + equations_.holds().count());
  if (count > 0) all.head(count) = element_activity(plan_, work_, state).switches;
  if (events_.any())
    if (RunStatus known = events_.evaluate(state, equations_, all.segment(count, events_.count())); !known)
      return known;
  if (equations_.holds().count() == 0) return {};
  // Whether a joint may go on resting is seen from the force that holds it.
  RunStatus evaluated = equations_.evaluate(state);
  if (!evaluated) return evaluated;
  equations_.holds().switches(state, held_values_);
  all.tail(held_values_.size()) = held_values_;
  return evaluated;
}

RunStatus RunSwitches::begin(State& state, bool goes_on) {
  JointHolds& holds = equations_.holds();
  if (!holds.empty())
    if (RunStatus begun = holds.begin(state, equations_.actions(), goes_on); !begun) return begun;
  RunStatus known = evaluate(state, values_);
  if (known) watch_.begin(values_, static_cast<int>(elements_.size()) + events_.count());
  return known;
}

RunStatus RunSwitches::take_place(const SwitchWatch::Change& change, State& state, Exchange& exchange, Audit& audit) {
  const auto elements = static_cast<int>(elements_.size());
  std::vector<int> of_holds;
  for (const int i : change.functions) {
    if (i >= elements + events_.count()) {
      of_holds.push_back(i - elements - events_.count());
      continue;
    }
    watch_.flip(i);
    if (i >= elements) {
      events_.passed(i - elements, watch_.is_above(i), change.t);
      continue;
    }
    const ElementSwitch& its = elements_[i];
    audit.events.push_back(
        {change.t, fmt::format("{}: {}", its.element, watch_.is_above(i) ? its.words.rises : its.words.falls)});
  }
  repeated_ = change.t - last_ <= no_progress * std::max(1.0, std::abs(change.t)) ? repeated_ + 1 : 0;
  last_ = change.t;
  if (repeated_ > most_changes_at_once)
    return RunStatus::refused(
        fmt::format("friction, stops or machine elements switch to and fro without end at t = {:.6g} s; give friction "
                    "a creep speed and stops a stiffness",
                    change.t));
  if (of_holds.empty()) return {};
  if (RunStatus evaluated = equations_.evaluate(state); !evaluated) return evaluated;
  std::vector<std::string> events;
  RunStatus changed = equations_.holds().change(of_holds, state, equations_.actions(), exchange.dissipated, events);
  for (std::string& event : events) audit.events.push_back({change.t, std::move(event)});
  return changed;
}

}  // namespace lithe::detail
