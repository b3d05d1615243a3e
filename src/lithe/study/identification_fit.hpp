#pragma once
// Nonlinear least squares within bounds, by Levenberg and Marquardt's method. Each evaluation is a run of a model, or many,
// and may fail: such a step is made shorter.

#include <atomic>
#include <functional>
#include <string>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Residuals at x and, where `jacobian` is given, their derivatives. False: there are none at this x.
using Residuals = std::function<bool(const VectorX& x, VectorX& residuals, MatrixX* jacobian)>;

struct FitOptions {
  VectorX lower, upper;  ///< may be infinite
  int most_iterations = 50;
  double function_tolerance = 1e-10, parameter_tolerance = 1e-9;  ///< relative changes at which it ends
  std::function<void(int iteration, double misfit)> progress;     ///< may be empty
  const std::atomic<bool>* stop = nullptr;
};

struct Fit {
  VectorX x;
  double misfit = 0.0;  ///< half the sum of squares
  int iterations = 0;
  bool converged = false;
  std::string ending;  ///< in words, when it did not converge
};

/// From `start`, where there must be residuals; `count` is their number.
Fit fit_least_squares(const Residuals& residuals, long count, const VectorX& start, const FitOptions& options);

}  // namespace lithe::detail
