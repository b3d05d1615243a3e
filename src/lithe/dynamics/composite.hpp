#pragma once
// Inertia matrix of the tree by composite bodies.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// The inertia matrix (both triangles) for the stored positions. It stays until the next call.
template <class S>
typename S::RowMatrix& composite_inertia(Kernel<S>& k);

}  // namespace lithe::detail
