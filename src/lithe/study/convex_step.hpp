#pragma once
// One step of sequential convex programming: the limits are taken as linear, and the step is kept short by its square.

#include <nlopt.h>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// min slope'd + penalty s + weight/2 (d'd + s^2)  subject to  limits + slopes d <= s,  low <= d <= high,  s >= 0.
struct ConvexStep {
  VectorX slope;      ///< of the objective
  VectorX limits;     ///< at most zero where they hold
  MatrixX slopes;     ///< theirs, a row each
  VectorX low, high;  ///< of the step
  double penalty = 10.0, weight = 1.0;

  /// The step, by NLopt's SLSQP, for which the problem is one quadratic program. False when it finds none.
  bool solve(VectorX& step) const;
};

}  // namespace lithe::detail
