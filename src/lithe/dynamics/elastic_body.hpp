#pragma once
// Equations of motion of one elastic link in its own frame (docs/theory/flexible.md). Kinetic energy is quadratic in
// the velocity of the frame, its angular velocity and the elastic rates, with coefficients that are polynomials in the
// elastic coordinates; the bias terms below are exactly those that belong to it, so power balances to rounding.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Inertia wrench of the body at its node origin, loads taken off, into its NodeState; the elastic part into `force`.
/// Needs update_bodies and update_motion.
template <class S>
void elastic_inertia_forces(Kernel<S>& k, int body, typename S::Vector& force);

/// force += sign * what a wrench on the elastic node (force, and moment about the node origin, node axes) does on the
/// elastic speeds through a mount.
template <class S>
void add_mount_force(const Kernel<S>& k, int mount, const typename S::Linear& f, const typename S::Angular& moment,
                     double sign, typename S::Vector& force) {
  const MountState<S>& m = k.mounts[mount];
  const BodyTable<S>& body = k.tables.bodies[k.tables.mounts[mount].body];
  const typename S::Angular about = moment - S::moment(m.position, f);
  for (int j = 0; j < body.count; ++j)
    force[body.v + j] += sign * (m.shape.col(j).dot(f) + m.turn.col(j).dot(S::column(about)));
}

/// force -= K eta + D eta'.
template <class S>
void add_elastic_forces(const Kernel<S>& k, const StateOf<S>& state, typename S::Vector& force);

/// Kinetic energy of one elastic body.
template <class S>
typename S::Number elastic_kinetic_energy(const Kernel<S>& k, int body);

}  // namespace lithe::detail
