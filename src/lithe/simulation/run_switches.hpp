#pragma once
// What switches during a run: machine elements, dry friction and stops of joints, events. One list of functions for the watch;
// what happens at an instant, to the state and to the list of events.

#include <limits>
#include <optional>
#include <vector>

#include "lithe/dynamics/elements.hpp"
#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/run_events.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/switches.hpp"

namespace lithe::detail {

class RunSwitches {
 public:
  RunSwitches(const Plan& plan, Workspace& work, Equations& equations, RunEvents& events);

  bool any() const { return !elements_.empty() || events_.any() || !equations_.holds().empty(); }

  /// At the start of a run, or where it goes on after an event: who rests, and on which side everything is.
  RunStatus begin(State& state, bool goes_on);

  /// The first change in a step from `from` to `to` with oscillations of angular frequency `ripple` in it;
  /// `state_at(t, state)` gives states inside the step.
  template <class StateAt>
  std::optional<SwitchWatch::Change> first_change(double from, double to, double ripple, State& scratch,
                                                  StateAt&& state_at, RunStatus& status) {
    const auto values = [&](double t, VectorX& all) -> RunStatus {
      RunStatus known = state_at(t, scratch);
      if (known) known = evaluate(scratch, all);
      return known;
    };
    return watch_.first_change(from, to, ripple, values, status);
  }

  /// Do forces look different behind the change even before it has taken place? Those of machine elements do; friction,
  /// stops and events wait for it.
  bool changes_forces(const SwitchWatch::Change& change) const {
    return change.functions.front() < static_cast<int>(elements_.size());
  }

  /// What the change does to the state at its instant; the energy that impacts took counts as dissipated.
  RunStatus take_place(const SwitchWatch::Change& change, State& state, Exchange& exchange, Audit& audit);

 private:
  RunStatus evaluate(const State& state, VectorX& all);

  const Plan& plan_;
  Workspace& work_;
  Equations& equations_;
  RunEvents& events_;
  std::vector<ElementSwitch> elements_;  ///< their functions come first, then those of events, of friction and stops
  SwitchWatch watch_;
  VectorX values_, held_values_;
  double last_ = -std::numeric_limits<double>::infinity();  ///< time of the last change, s
  int repeated_ = 0;                                        ///< changes one after the other without progress
};

}  // namespace lithe::detail
