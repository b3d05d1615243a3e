#pragma once
// What the machine elements of a mechanism do. Forward and inverse dynamics, reactions, energy and powers know them
// already, as they know springs; here is what else there is to ask.

#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe {

/// All elements of a mechanism at one instant, in their order.
struct ElementActivity {
  VectorX rates;          ///< of State::x
  VectorX values;         ///< as element_columns() names them
  VectorX switches;       ///< as element_switches() names them
  double stored = 0.0;    ///< J
  double lost = 0.0;      ///< W
  double supplied = 0.0;  ///< from outside, W
};

/// At a state on the closures. A state whose x does not have the right length is taken with the values of the start.
/// The answer lives in the workspace until the next call; no allocation after the first one.
const ElementActivity& element_activity(const Plan& plan, Workspace& work, const State& state);

bool has_elements(const Plan& plan);
/// State::x at the start of a run, and what its entries are called: "motor.shoulder.current".
VectorX element_start(const Plan& plan);
std::vector<std::string> element_states(const Plan& plan);
/// Columns of results: "rope.hoist.tension".
std::vector<std::string> element_columns(const Plan& plan);
/// Times at which a law in an element has a kink, not sorted.
std::vector<double> element_breakpoints(const Plan& plan);

struct ElementSwitch {
  std::string element;  ///< "rope 'hoist'"
  Element::Switch words;
};
std::vector<ElementSwitch> element_switches(const Plan& plan);

}  // namespace lithe
