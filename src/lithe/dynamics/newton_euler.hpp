#pragma once
// Forces on the tree: applied loads, passive joint forces, and the recursive Newton-Euler sweep.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Actions in another number: the joint forces; loads are the same for all lanes.
template <class T>
struct NumberActions {
  VectorOf<T> tau;
  std::vector<Wrench> loads;
  std::vector<LineForce> line_loads;
};
template <class S>
using ActionsOf =
    std::conditional_t<std::is_same_v<typename S::Number, double>, Actions, NumberActions<typename S::Number>>;

/// Takes everything that acts from outside off the nodes.
template <class S>
void clear_loads(Kernel<S>& k);

/// Puts load ports, line loads and point springs onto the nodes. Needs node velocities when there are springs.
template <class S>
void apply_loads(Kernel<S>& k, const ActionsOf<S>& actions);

/// The wrench that each node by itself needs for the stored node motion, loads subtracted, into its NodeState; what the elastic
/// speeds need into `force`, whose other entries stay.
template <class S>
void node_forces(Kernel<S>& k, typename S::Vector& force);

/// Joint forces for the stored node motion, loads subtracted: from the tips to the ground. Without those of armatures.
template <class S>
void newton_euler(Kernel<S>& k, typename S::Vector& force);

/// force += what the rotors of the joints take to accelerate.
template <class Vector>
void add_armature_forces(const Compiled& compiled, const Vector& a, Vector& force) {
  for (const Armature& armature : compiled.armatures) force[armature.v] += armature.inertia * a[armature.v];
}

/// force += springs and dampers of tree and cut joints, along the tree speeds. Needs node velocities when cut joints
/// have any.
template <class S>
void add_passive_forces(Kernel<S>& k, const StateOf<S>& state, typename S::Vector& force);

/// force += tau of tree and cut joints.
template <class S>
void add_joint_forces(Kernel<S>& k, const ActionsOf<S>& actions, typename S::Vector& force);

/// Springs and dampers of the joints of one kind (tree or cut) at coordinates q and speeds v.
template <class T>
void add_passive_forces(const PassiveForces& passive, const VectorOf<T>& q, const VectorOf<T>& v, VectorOf<T>& force);

/// Tree forces that accelerate: joint forces plus springs minus (inertia forces at zero acceleration, gravity, loads).
/// `given` accelerations of the joints count as inertia forces; null: zero. Leaves the node motion at these.
template <class S>
void accelerating_force(Kernel<S>& k, const StateOf<S>& state, const ActionsOf<S>& actions, typename S::Vector& force,
                        const typename S::Vector* given);

}  // namespace lithe::detail
