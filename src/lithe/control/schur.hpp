#pragma once
// Schur forms and singular values by LAPACK, and products of complex matrices: what is compiled once for the room.

#include <complex>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

using Complex = std::complex<double>;

/// A = Q T Q^H, T upper triangular with the eigenvalues on its diagonal.
struct ComplexSchur {
  Eigen::MatrixXcd T, Q;
};
ComplexSchur complex_schur(const MatrixX& A);

/// A = Q T Q^T, T with blocks of one or two on its diagonal.
struct RealSchur {
  MatrixX T, Q;
  std::vector<Complex> eigenvalues;  ///< in the order of the diagonal

  /// Whether rows i and i + 1 belong to one pair.
  bool is_pair(int i) const { return i + 1 < T.rows() && T(i + 1, i) != 0.0; }
};
RealSchur real_schur(const MatrixX& A);

/// Brings the chosen eigenvalues to the front; of a pair both go when one is chosen. Returns how many stand there.
int move_to_front(RealSchur& schur, const std::vector<bool>& chosen);
/// Moves the block at row `from` to row `to`; both are first rows of blocks.
void move_block(RealSchur& schur, int from, int to);

/// X with S X - X T = C for S and T in real Schur form.
MatrixX solve_sylvester(const MatrixX& S, const MatrixX& T, const MatrixX& C);

/// Falling.
VectorX complex_singular_values(const Eigen::MatrixXcd& A);

Eigen::MatrixXcd multiply(const Eigen::MatrixXcd& left, const Eigen::MatrixXcd& right);

enum class Region { left_half_plane, unit_disk };

/// Columns that span the deflating subspace of H - s J for the eigenvalues in the region; fewer columns than half the
/// size say that there are not enough of them, none that the ordering failed.
MatrixX stable_subspace(const MatrixX& H, const MatrixX& J, Region region);

}  // namespace lithe::detail
