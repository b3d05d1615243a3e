#pragma once
// What evaluations cost in operations, counted by running them with numbers that count.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"
#include "lithe/spatial/counted.hpp"

namespace lithe {

/// Of forward_dynamics() by `noc` at a state on the closures, with the independent speeds of the workspace. Not for
/// singular poses; empty (all zero) where the evaluation fails.
OperationCount count_forward(const Plan& plan, const Workspace& work, const State& state, const Actions& actions);

/// Of the forces on the independent speeds that the accelerations `a` need.
OperationCount count_inverse(const Plan& plan, const Workspace& work, const State& state, const VectorX& a,
                             const Actions& actions);

}  // namespace lithe
