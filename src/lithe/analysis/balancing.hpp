#pragma once
// Scaling of states before eigenvalues are computed.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Scales states by powers of two until rows and columns of `A` are of one size (Parlett and Reinsch): entries from 1
/// to 1e12 stand in one state matrix, and without this the small eigenvalues drown in the rounding of the large ones.
/// Returns the scales: eigenvectors of the first A = scales times those of the balanced one.
VectorX balance(MatrixX& A);

}  // namespace lithe::detail
