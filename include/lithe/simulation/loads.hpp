#pragma once
// The loads of a model at one time.

#include "lithe/dynamics/actions.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {

/// Puts the values of all load laws at time t (s) into `actions`; joint forces stay as they are. No allocation.
void evaluate_loads(const Model& model, double t, Actions& actions);

}  // namespace lithe
