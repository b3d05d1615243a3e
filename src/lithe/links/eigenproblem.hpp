#pragma once
// Natural modes from mass and stiffness: K x = w^2 M x.

#include <Eigen/SparseCore>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// From this many coordinates on, a few modes are found by shift-invert Lanczos on sparse matrices (Spectra) instead of
/// by the dense solver.
constexpr Eigen::Index sparse_threshold = 400;

struct EigenPairs {
  VectorX squares;  ///< w^2, ascending
  MatrixX shapes;   ///< mass-normalised columns
};

enum class EigenMethod : unsigned char { by_size, dense, sparse };

/// The `count` lowest modes of symmetric positive definite K and M. Throws std::runtime_error when K or M is not
/// positive definite or Lanczos does not converge.
EigenPairs lowest_modes(const MatrixX& stiffness, const MatrixX& mass, Eigen::Index count,
                        EigenMethod method = EigenMethod::by_size);

/// The same for sparse matrices, always by Lanczos; `count` well below the number of rows.
EigenPairs lowest_modes(const Eigen::SparseMatrix<double>& stiffness, const Eigen::SparseMatrix<double>& mass,
                        Eigen::Index count);

/// Modes within the space that the independent columns of `shapes` span (Rayleigh-Ritz); K may be semidefinite.
EigenPairs modes_within(const MatrixX& stiffness, const MatrixX& mass, const MatrixX& shapes);

}  // namespace lithe::detail
