#include "lithe/control/exponential.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/analysis/balancing.hpp"

namespace lithe::detail {
namespace {

constexpr int series_terms = 18;  // of a matrix of norm one: the next term is 1/19!, below rounding

/// Number of halvings after which the norm is at most one.
int halvings(double norm) { return norm > 1.0 ? static_cast<int>(std::ceil(std::log2(norm))) : 0; }

double row_norm(const MatrixX& M) { return M.size() == 0 ? 0.0 : M.cwiseAbs().rowwise().sum().maxCoeff(); }

/// Horner's rule for the series.
MatrixX short_exponential(const MatrixX& M) {
  const MatrixX one = MatrixX::Identity(M.rows(), M.rows());
  MatrixX sum = one;
  for (int k = series_terms; k >= 1; --k) sum = one + MatrixX(M * sum) / k;
  return sum;
}

}  // namespace

MatrixX exponential(const MatrixX& M) {
  MatrixX balanced = M;
  const VectorX scales = balance(balanced);
  const int doublings = halvings(row_norm(balanced));
  MatrixX result = short_exponential(balanced * std::exp2(-doublings));
  for (int k = 0; k < doublings; ++k) result = MatrixX(result * result);
  return scales.asDiagonal() * result * scales.cwiseInverse().asDiagonal();
}

HeldInput hold_input(const MatrixX& A, const MatrixX& B, double h) {
  const Eigen::Index n = A.rows(), m = B.cols();
  MatrixX F = MatrixX::Zero(n + m, n + m);
  F.topLeftCorner(n, n) = h * A;
  F.topRightCorner(n, m) = h * B;
  const MatrixX whole = exponential(F);
  return {whole.topLeftCorner(n, n), whole.topRightCorner(n, m)};
}

// Over a short time by the exponential of [-F^T W; 0 F] (Van Loan), which would overflow over a long one; then
// W(2 h) = W(h) + Phi(h)^T W(h) Phi(h).
MatrixX integrated_weight(const MatrixX& F, const MatrixX& W, double h) {
  const Eigen::Index n = F.rows();
  MatrixX balanced = h * F;
  const VectorX scales = balance(balanced);
  const int doublings = halvings(row_norm(balanced));
  const double part = std::exp2(-doublings);
  MatrixX both = MatrixX::Zero(2 * n, 2 * n);
  both.topLeftCorner(n, n) = -part * balanced.transpose();
  both.topRightCorner(n, n) = (part * h) * (scales.asDiagonal() * W * scales.asDiagonal());
  both.bottomRightCorner(n, n) = part * balanced;
  // The series of the short exponential is exact to rounding for blocks of norm one; that of W enters linearly.
  const MatrixX whole = short_exponential(both);
  MatrixX Phi = whole.bottomRightCorner(n, n);
  MatrixX sum = MatrixX(Phi.transpose()) * MatrixX(whole.topRightCorner(n, n));
  for (int k = 0; k < doublings; ++k) {
    sum += MatrixX(MatrixX(Phi.transpose()) * sum) * Phi;
    Phi = MatrixX(Phi * Phi);
  }
  const VectorX back = scales.cwiseInverse();
  sum = MatrixX(back.asDiagonal() * sum * back.asDiagonal());
  return 0.5 * (sum + MatrixX(sum.transpose()));
}

}  // namespace lithe::detail
