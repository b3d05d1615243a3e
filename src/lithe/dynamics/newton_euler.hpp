#pragma once
// Forces on the tree: applied loads, passive joint forces, and the recursive Newton-Euler sweep.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Takes everything that acts from outside off the nodes.
template <class S>
void clear_loads(Kernel<S>& k);

/// Puts load ports, line loads and point springs onto the nodes. Needs node velocities when there are springs.
template <class S>
void apply_loads(Kernel<S>& k, const Actions& actions);

/// Joint forces for the stored node motion, loads subtracted: from the tips to the ground.
template <class S>
void newton_euler(Kernel<S>& k, VectorX& force);

/// force += springs and dampers of tree and cut joints, along the tree speeds. Needs node velocities when cut joints
/// have any.
template <class S>
void add_passive_forces(Kernel<S>& k, Scratch& scratch, const State& state, VectorX& force);

/// force += tau of tree and cut joints.
template <class S>
void add_joint_forces(Kernel<S>& k, const Actions& actions, VectorX& force);

/// Springs and dampers of the joints of one kind (tree or cut) at coordinates q and speeds v.
void add_passive_forces(const PassiveForces& passive, const VectorX& q, const VectorX& v, VectorX& force);

}  // namespace lithe::detail
