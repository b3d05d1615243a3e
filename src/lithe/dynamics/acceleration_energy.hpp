#pragma once
// The acceleration energy S = 1/2 int |r''|^2 dm of one node. It is quadratic in the accelerations x of the node (of
// its frame, and of the elastic coordinates of a link that bends):
//
//   S = 1/2 x^T G x + x^T g,     gradient  G x + g
//
// G depends on the positions, g on the speeds too. The gradient by the acceleration of the frame is a force, by its
// angular acceleration a moment about the node origin, by an elastic acceleration a force on that coordinate.

#include "lithe/dynamics/inertia.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// G x for an acceleration of the frame alone; the elastic part is written into `elastic`. Needs update_bodies.
template <class S>
NodeWrench<S> inertial_gradient(const Kernel<S>& k, std::size_t node, const NodeAcceleration<S>& x, VectorX& elastic);

/// Adds G x for a unit acceleration of one elastic coordinate of an elastic node.
template <class S>
void add_bending_gradient(const Kernel<S>& k, std::size_t node, int coordinate, NodeWrench<S>& frame, VectorX& elastic);

/// Adds g, and takes off the loads on the node. Needs node velocities, and the loads.
template <class S>
void add_velocity_gradient(const Kernel<S>& k, std::size_t node, NodeWrench<S>& frame, VectorX& elastic);

}  // namespace lithe::detail
