#pragma once
// What a Jacobian of residuals says about the parameters: deviations, and directions that the records do not see.

#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

struct Judgement {
  VectorX singular_values;  ///< the largest first
  MatrixX directions;       ///< columns: unit vectors in the space of parameters, in the order of the singular values
  std::vector<bool> is_blind;       ///< per direction
  std::vector<bool> is_determined;  ///< per parameter
  MatrixX covariance;               ///< of all parameters; meaningful for those that are determined
};

/// `jacobian`: residuals in standard deviations of their noise (rows) by parameters in their scales (columns);
/// `error`: of each column relative to its size; `quantile`: half the width of an interval in standard deviations;
/// `widest`: half the width in scales beyond which nothing is determined.
///
/// A direction v with singular value s is known within quantile / s. It is blind when that is wider than `widest`, or
/// when s is no larger than the error of the derivatives, so that it may be zero.
Judgement judge_parameters(const MatrixX& jacobian, const VectorX& error, double quantile, double widest);

/// Half the width of the interval that holds a variate with Student's distribution with probability `confidence`.
double student_quantile(double confidence, double freedoms);

}  // namespace lithe::detail
