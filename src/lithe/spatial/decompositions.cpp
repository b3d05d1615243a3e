#include "lithe/spatial/decompositions.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace lithe::detail {

MinimumNorm solve_minimum_norm(const MatrixX& A, const VectorX& b, double threshold) {
  MinimumNorm result{VectorX::Zero(A.cols()), 0};
  if (A.size() == 0) return result;
  Eigen::CompleteOrthogonalDecomposition<MatrixX> solver;
  solver.setThreshold(threshold);
  solver.compute(A);
  if (solver.maxPivot() <= threshold) return result;
  result.x = solver.solve(b);
  result.rank = static_cast<int>(solver.rank());
  return result;
}

PivotedColumns pivot_columns(const MatrixX& A, double threshold) {
  if (A.cols() == 0) return {{}, 0};
  Eigen::ColPivHouseholderQR<MatrixX> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  const auto& order = qr.colsPermutation().indices();
  return {{order.begin(), order.end()}, qr.maxPivot() > threshold ? static_cast<int>(qr.rank()) : 0};
}

MatrixX solve_least_squares(const MatrixX& A, const MatrixX& B) {
  if (A.size() == 0 || B.size() == 0) return MatrixX::Zero(A.cols(), B.cols());
  return Eigen::ColPivHouseholderQR<MatrixX>(A).solve(B);
}

namespace {

/// From here on dividing and conquering beats Jacobi's rotations, whose number grows with the fourth power of the size.
bool is_large(const MatrixX& A) { return std::min(A.rows(), A.cols()) > 24; }

}  // namespace

VectorX singular_values(const MatrixX& A) {
  if (A.size() == 0) return VectorX(0);
  if (is_large(A)) return Eigen::BDCSVD<MatrixX>(A).singularValues();
  return Eigen::JacobiSVD<MatrixX>(A).singularValues();
}

LeftSingular left_singular_vectors(const MatrixX& A) {
  if (A.size() == 0) return {VectorX(0), MatrixX(A.rows(), 0)};
  if (is_large(A)) {
    const Eigen::BDCSVD<MatrixX> svd(A, Eigen::ComputeThinU);
    return {svd.singularValues(), svd.matrixU()};
  }
  const Eigen::JacobiSVD<MatrixX> svd(A, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}

}  // namespace lithe::detail
