#pragma once
// Stiffening 'stress': the axial force in a link, recovered from the motion and the joint reactions, times its
// geometric stiffness. The way of the sources, kept for reproduction and comparison: slower than foreshortening
// (reactions are needed, memory is allocated) and without a potential, so its power is counted as work from outside.

#include "lithe/dynamics/forward.hpp"

namespace lithe {

/// -K_G eta on the elastic coordinates of every link with this stiffening, written over their entries of `tau` (tree
/// speeds; N per unit of the coordinate). K_G belongs to the accelerations `a` and to the reactions with `actions`.
void stress_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                   VectorX& tau);

/// forward_dynamics() for mechanisms with such links: the axial forces depend on the accelerations, so both are
/// iterated from the motion without them until they agree; Status::Code::stress_diverged when they do not. Leaves the
/// stress forces in the elastic entries of actions.tau. Without such links it is forward_dynamics().
Status stressed_forward_dynamics(const Plan& plan, Workspace& work, const State& state, Actions& actions, VectorX& a,
                                 const ForwardOptions& options = {});

}  // namespace lithe
