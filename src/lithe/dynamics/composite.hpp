#pragma once
// Inertia matrix of the tree by composite bodies.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Fills k.M (both triangles) for the stored positions.
template <class S>
void composite_inertia(Kernel<S>& k);

}  // namespace lithe::detail
