#pragma once
// The formulations, each in a file of its own. All take a state on the closures and give accelerations of the tree
// speeds. One that only the table calls is declared there.

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/newton_euler.hpp"

namespace lithe::detail {

/// Accelerations by any formulation, without stress stiffening.
Status plain_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                     const ForwardOptions& options);

/// Recursive sweep for open trees, complement for loops.
template <class S>
Status noc_forward(Kernel<S>& k, const StateOf<S>& state, const ActionsOf<S>& actions, typename S::Vector& a,
                   const Stabilisation&);

/// Platform cut into sections, passive joints annihilated leg by leg; U D U^T recursion for open trees.
template <class S>
Status denoc_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a, const Stabilisation&);

/// Why a mechanism with loops cannot be divided into a platform and serial legs; empty when it can.
std::string denoc_refusal(const Compiled& compiled);

/// Gradient of the acceleration energy, node by node and speed by speed; complement for loops.
template <class S>
Status gibbs_appell_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a, const Stabilisation&);

/// Index-1 system [M A^T; A 0] with the independent closure rows.
template <class S>
Status multiplier_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                          const Stabilisation& stabilisation);

/// Absolute coordinates with Euler parameters, every joint an equation; multipliers by iteration.
template <class S>
Status augmented_lagrangian_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                                    const Stabilisation& stabilisation);

/// The nearest coordinates and speeds on the closures, distance being measured by the inertia in absolute coordinates. Marked
/// speeds (Kernel::prescribed) stay. Needs closures, and a pose that is not beside a singular one.
template <class S>
Status mass_orthogonal_projection(Kernel<S>& k, State& state);

/// M a = forces - A^T (stiffness c + damping A v).
template <class S>
Status penalty_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                       const Stabilisation& stabilisation);

/// Dense textbook embedding from the stacked link twists with the complement of the workspace's independent set;
/// allocates.
Status noc_dense_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                         const ForwardOptions& options);

/// N^T M N for the stored positions, selection and complement; its lower triangle. Stays until the next call.
template <class S>
typename S::RowMatrix& reduced_inertia(Kernel<S>& k, const typename S::RowMatrix& M);

/// Accelerations of all tree speeds from the inertia M and the accelerating forces of the open tree; the loops enter
/// through the complement: N^T M N a_i = N^T (force - M [bias; 0]). Uses `force` up. Needs the complement and the node
/// motion at zero joint accelerations.
template <class S>
Status complement_forward(Kernel<S>& k, const StateOf<S>& state, const typename S::RowMatrix& M,
                          typename S::Vector& force, typename S::Vector& a);

}  // namespace lithe::detail
