#pragma once
// The open tree written out densely as in textbooks: link twists t = T v, M = T^T diag(M_link) T. An oracle for the
// recursions, with which it shares the kinematics but no inertia and no elastic force of a link; allocates.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

struct DenseTree {
  MatrixX M;
  VectorX h;  ///< generalised force of inertia at zero joint accelerations, gravity and elastic forces included
};

DenseTree dense_tree(const Plan& plan, Workspace& work, const State& state);

/// Everything that accelerates the tree: motors, loads, springs and dampers minus `h`.
VectorX dense_force(const Plan& plan, Workspace& work, const State& state, const Actions& actions, const VectorX& h);

}  // namespace lithe::detail
