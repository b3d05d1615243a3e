#pragma once
// What is left for the closures to supply.

#include "lithe/dynamics/newton_euler.hpp"

namespace lithe::detail {

/// Along the tree speeds, at the stored motion (update_world, update_motion with accelerations, update_bodies): inertia
/// and weight minus loads, drives, springs and dampers. Zero without loops where the motion is that of these forces.
VectorX missing_forces(Kernel<Spatial>& k, const State& state, const VectorX& a, const Actions& actions);

}  // namespace lithe::detail
