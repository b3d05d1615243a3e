#pragma once
// Derivatives by differences.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Slope at zero of a function of one number, from five points: exact for polynomials up to the fourth degree.
template <class Function>
VectorX five_point_slope(double h, const Function& f) {
  return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
}

/// Jacobian by central differences, exact for quadratics. evaluate(result) sees x moved by +-step in one entry at a time
/// and may refuse with false; x is as before afterwards.
template <class Evaluate>
bool central_differences(VectorX& x, double step, const Evaluate& evaluate, MatrixX& jacobian) {
  VectorX plus, minus;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double value = x[j];
    x[j] = value + step;
    const bool went_up = evaluate(plus);
    x[j] = value - step;
    const bool went_both_ways = went_up && evaluate(minus);
    x[j] = value;
    if (!went_both_ways) return false;
    jacobian.resize(plus.size(), x.size());
    jacobian.col(j) = (plus - minus) / (2.0 * step);
  }
  return true;
}

/// The same one-sided, with a step(j) per entry and the value `f` at x known: half the work, no allocation. As many
/// columns as `jacobian` has; nothing depends on the further entries of x.
template <class Step, class Value, class Evaluate>
bool forward_differences(VectorX& x, const Step& step, const Value& f, const Evaluate& evaluate, VectorX& moved,
                         Eigen::Ref<MatrixX> jacobian) {
  for (Eigen::Index j = 0; j < jacobian.cols(); ++j) {
    const double value = x[j];
    x[j] = value + step(j);
    const double h = x[j] - value;  // as rounded
    const bool went = evaluate(moved);
    x[j] = value;
    if (!went) return false;
    jacobian.col(j) = (moved - f) / h;
  }
  return true;
}

}  // namespace lithe::detail
