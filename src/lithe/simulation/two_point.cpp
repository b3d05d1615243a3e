#include "lithe/simulation/two_point.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

namespace lithe::detail {
namespace {

constexpr int most_iterations = 25;
constexpr double step_tolerance = 1e-11;  ///< last Newton step, of the largest amplitude

/// One grid: values at all points, slopes of the residual, block elimination.
class Grid {
 public:
  Grid(ElasticInversion& inversion, double from, double until, int intervals)
      : inversion_(inversion), from_(from), h_((until - from) / intervals), intervals_(intervals) {}

  bool start(const VectorX& first, const VectorX& last) {
    values_.assign(static_cast<std::size_t>(intervals_) + 1, first);
    // Rest at every instant is close to the motion and needs no derivatives.
    VectorX eta = first;
    for (int i = 1; i < intervals_; ++i) {
      if (!inversion_.rest(time(i), eta)) return false;
      at(i) = eta;
    }
    at(intervals_) = last;
    return true;
  }

  /// Values from a grid of half as many intervals.
  void refine(const Grid& coarse) {
    values_.clear();
    for (int i = 0; i <= intervals_; ++i)
      values_.push_back(i % 2 == 0 ? coarse.at(i / 2) : VectorX(0.5 * (coarse.at(i / 2) + coarse.at(i / 2 + 1))));
  }

  bool solve(const std::function<bool(double)>& goes_on, int& iterations, std::string& failure) {
    for (int k = 0; k < most_iterations; ++k) {
      ++iterations;
      double step = 0.0, largest = 0.0;
      if (!newton_step(goes_on, step)) return false;
      for (const VectorX& value : values_) largest = std::max(largest, value.cwiseAbs().maxCoeff());
      if (!std::isfinite(step)) break;
      if (step <= step_tolerance * std::max(largest, 1e-300) || step < 1e-14) return true;
    }
    failure = fmt::format(
        "the two-point problem of flexible inverse dynamics does not converge with a step of {:.3g} s; take a smaller "
        "run.step, a slower motion, or more time before and after it",
        h_);
    return false;
  }

  ElasticMotion motion(int i) const {
    if (i == 0 || i == intervals_) return {at(i), VectorX::Zero(at(i).size()), VectorX::Zero(at(i).size())};
    return {at(i), (at(i + 1) - at(i - 1)) / (2.0 * h_), (at(i + 1) - 2.0 * at(i) + at(i - 1)) / (h_ * h_)};
  }
  double time(int i) const { return from_ + h_ * i; }

 private:
  const VectorX& at(int i) const { return values_[static_cast<std::size_t>(i)]; }
  VectorX& at(int i) { return values_[static_cast<std::size_t>(i)]; }

  /// Block-tridiagonal elimination from the first inner point to the last, then back.
  bool newton_step(const std::function<bool(double)>& goes_on, double& largest) {
    const auto n = static_cast<std::size_t>(intervals_);
    std::vector<MatrixX> upper(n);
    std::vector<VectorX> right(n);
    InternalDynamics d;
    for (int i = 1; i < intervals_; ++i) {
      if (i % 16 == 0 && !goes_on(static_cast<double>(i) / intervals_)) return false;
      const ElasticMotion here = motion(i);
      VectorX missing;
      if (!inversion_.residual(time(i), here, missing) || !inversion_.linearise(time(i), here, d)) return false;
      const MatrixX second = d.M / (h_ * h_), first = d.D / (2.0 * h_), before = second - first;
      MatrixX diagonal = d.K - 2.0 * second;
      VectorX rest = -missing;
      const auto row = static_cast<std::size_t>(i);
      if (i > 1) {
        diagonal -= before * upper[row - 1];
        rest -= before * right[row - 1];
      }
      const Eigen::PartialPivLU<MatrixX> solver(diagonal);
      upper[row] = solver.solve(second + first);
      right[row] = solver.solve(rest);
    }
    largest = 0.0;
    VectorX step = VectorX::Zero(at(0).size());
    for (int i = intervals_ - 1; i >= 1; --i) {
      const auto row = static_cast<std::size_t>(i);
      step = i == intervals_ - 1 ? right[row] : VectorX(right[row] - upper[row] * step);
      at(i) += step;
      largest = std::max(largest, step.cwiseAbs().maxCoeff());
    }
    return true;
  }

  ElasticInversion& inversion_;
  double from_, h_;
  int intervals_;
  std::vector<VectorX> values_;
};

VectorX extrapolated(const VectorX& coarse, const VectorX& fine) { return (4.0 * fine - coarse) / 3.0; }

}  // namespace

bool solve_two_point(ElasticInversion& inversion, double from, double until, int intervals, ElasticPath& path,
                     std::string& failure, const std::function<bool(double fraction)>& goes_on) {
  VectorX first = VectorX::Zero(inversion.count()), last = first;
  const auto refused = [&] {
    if (failure.empty()) failure = inversion.failure();
    return false;
  };
  Grid coarse(inversion, from, until, intervals), fine(inversion, from, until, 2 * intervals);
  if (!inversion.rest(from, first) || !inversion.rest(until, last)) return refused();
  if (!coarse.start(first, last) || !coarse.solve(goes_on, path.iterations, failure)) return refused();
  fine.refine(coarse);
  if (!fine.solve(goes_on, path.iterations, failure)) return refused();
  for (int i = 0; i <= intervals; ++i) {
    const ElasticMotion a = coarse.motion(i), b = fine.motion(2 * i);
    path.times.push_back(coarse.time(i));
    path.points.push_back(
        {extrapolated(a.eta, b.eta), extrapolated(a.rate, b.rate), extrapolated(a.acceleration, b.acceleration)});
    path.error = std::max(path.error, (a.eta - b.eta).cwiseAbs().maxCoeff() / 3.0);
  }
  return true;
}

}  // namespace lithe::detail
