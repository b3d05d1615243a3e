#include "lithe/study/identification_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/spatial/decompositions.hpp"

namespace lithe::detail {
namespace {

constexpr double error_margin = 3.0;  ///< a singular value so many errors large is not zero
constexpr double part = 0.05;         ///< of a direction that is zero: what takes part in it
constexpr double rounding = 1e-10;    ///< of singular values, relative to the largest

}  // namespace

Judgement judge_parameters(const MatrixX& jacobian, const VectorX& error, double quantile, double widest) {
  const Eigen::Index n = jacobian.cols();
  // Left singular vectors of the transposed matrix; it has at least as many columns as rows.
  const LeftSingular parts = left_singular_vectors(MatrixX(jacobian.transpose()));
  Judgement judgement;
  judgement.singular_values = parts.values;
  judgement.directions = parts.vectors;
  judgement.is_blind.assign(n, false);
  judgement.is_determined.assign(n, true);
  judgement.covariance.setZero(n, n);
  const double largest = parts.values[0], smallest = std::max(rounding * largest, 1e-100);
  const double unsure = 10.0 * error.maxCoeff();  // components of directions below it may be zero
  for (Eigen::Index k = 0; k < n; ++k) {
    const VectorX v = parts.vectors.col(k);
    double error_of_value = rounding * largest;
    for (Eigen::Index i = 0; i < n; ++i)
      error_of_value = std::hypot(error_of_value, v[i] * error[i] * jacobian.col(i).norm());
    const bool may_be_zero = parts.values[k] <= error_margin * error_of_value;
    const double deviation = 1.0 / std::max(parts.values[k], smallest);
    judgement.is_blind[k] = may_be_zero || quantile * deviation > widest;
    VectorX kept = v;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (may_be_zero && std::abs(v[i]) > part) judgement.is_determined[i] = false;
      if (judgement.is_blind[k] && std::abs(v[i]) < unsure) kept[i] = 0.0;
    }
    judgement.covariance += deviation * deviation * kept * kept.transpose();
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(quantile * std::sqrt(judgement.covariance(i, i)) <= widest)) judgement.is_determined[i] = false;
  return judgement;
}

double student_quantile(double confidence, double freedoms) {
  // Of the normal distribution, by bisection.
  double low = 0.0, high = 40.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (std::erf(middle / std::numbers::sqrt2) < confidence ? low : high) = middle;
  }
  // Expansion in powers of 1 / freedoms after Cornish and Fisher.
  const double z = low, z2 = z * z, f = freedoms;
  return z + z * (z2 + 1) / (4 * f) + z * ((5 * z2 + 16) * z2 + 3) / (96 * f * f) +
         z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * f * f * f);
}

}  // namespace lithe::detail
