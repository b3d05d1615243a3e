#include "lithe/study/identification_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/matrices/products.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe::detail {
namespace {

constexpr double first_damping = 1e-3;  ///< of steps, relative to the squared columns of the Jacobian
constexpr double most_damping = 1e16;
constexpr double enough_gain = 1e-4;  ///< a step is taken when it brings so much of what the linear model promises

/// A point with its residuals, and what a step from there is made of.
struct FitPoint {
  VectorX x, r;
  double misfit = 0.0;
  MatrixX information;  ///< J'J
  VectorX uphill;       ///< J'r
};

class LeastSquares {
 public:
  LeastSquares(const Residuals& residuals, long count, const FitOptions& options)
      : residuals_(residuals), count_(count), options_(options) {}

  Fit run(const VectorX& start) {
    at_.x = start;
    fit_.ending = "the model does not run where it began";
    if (evaluate(at_.x, at_.r) && linearize()) {
      scale_ = at_.information.diagonal();
      for (bool goes_on = true; goes_on;) goes_on = iterate();
    }
    fit_.x = at_.x;
    fit_.misfit = at_.misfit;
    if (fit_.converged) fit_.ending.clear();
    return fit_;
  }

 private:
  bool evaluate(const VectorX& x, VectorX& r) const {
    r.resize(count_);
    return residuals_(x, r, nullptr) && r.allFinite();
  }

  bool linearize() {
    MatrixX J;
    if (!residuals_(at_.x, at_.r, &J)) return false;
    at_.misfit = 0.5 * at_.r.squaredNorm();
    at_.information = J.transpose() * J;
    at_.uphill = J.transpose() * at_.r;
    return true;
  }

  /// Variables that are not at a bound which a step downhill would pass.
  std::vector<int> free_variables() const {
    std::vector<int> free;
    for (int i = 0; i < static_cast<int>(at_.x.size()); ++i) {
      const bool is_held = (at_.x[i] <= options_.lower[i] && at_.uphill[i] > 0.0) ||
                           (at_.x[i] >= options_.upper[i] && at_.uphill[i] < 0.0);
      if (!is_held) free.push_back(i);
    }
    return free;
  }

  /// (J'J + damping D) step = -J'r over the free variables, cut at the bounds.
  VectorX step_of(const std::vector<int>& free) const {
    const auto n = std::ssize(free);
    MatrixX A(n, n), b(n, 1);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) = at_.information(free[i], free[j]);
      // A variable without effect stays where it is.
      A(i, i) += scale_[free[i]] > 0.0 ? damping_ * scale_[free[i]] : 1.0;
      b(i, 0) = -at_.uphill[free[i]];
    }
    const MatrixX solved = solve_least_squares(A, b);
    VectorX step = VectorX::Zero(at_.x.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const int v = free[i];
      step[v] = std::clamp(at_.x[v] + solved(i, 0), options_.lower[v], options_.upper[v]) - at_.x[v];
    }
    return step;
  }

  bool is_short(const VectorX& step) const {
    for (Eigen::Index i = 0; i < step.size(); ++i)
      if (std::abs(step[i]) > options_.parameter_tolerance * (std::abs(at_.x[i]) + options_.parameter_tolerance))
        return false;
    return true;
  }

  /// One step, with more and more damping until it leads downhill. False: this is the end.
  bool iterate() {
    if (options_.progress) options_.progress(fit_.iterations, at_.misfit);
    const std::vector<int> free = free_variables();
    bool runs = true;
    for (double faster = 2.0;; damping_ *= faster, faster *= 2.0) {
      if (options_.stop != nullptr && options_.stop->load()) return ends("it was stopped");
      const VectorX step = step_of(free);
      if (is_short(step) || !(damping_ < most_damping))
        return runs ? settles() : ends("no step makes the residuals smaller where the model still runs");
      VectorX r;
      const VectorX x = at_.x + step;
      runs = evaluate(x, r);
      if (!runs) continue;
      const double misfit = 0.5 * r.squaredNorm(), gained = at_.misfit - misfit;
      const double promised = -at_.uphill.dot(step) - 0.5 * step.dot(VectorX(at_.information * step));
      if (!(promised > 0.0 && gained > enough_gain * promised)) continue;
      // Nielsen's rule: the better the promise was kept, the less damping.
      const double kept = gained / promised;
      damping_ *= std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * kept - 1.0, 3));
      const double before = at_.misfit;
      at_.x = x;
      ++fit_.iterations;
      if (!linearize()) return ends("derivatives are missing where the model still runs");
      scale_ = scale_.cwiseMax(at_.information.diagonal());
      if (gained <= options_.function_tolerance * before) return settles();
      if (fit_.iterations < options_.most_iterations) return true;
      return ends("it had not settled after " + std::to_string(fit_.iterations) + " steps");
    }
  }

  bool settles() {
    fit_.converged = true;
    return false;
  }
  bool ends(std::string why) {
    fit_.ending = std::move(why);
    return false;
  }

  const Residuals& residuals_;
  long count_;
  const FitOptions& options_;
  FitPoint at_;
  VectorX scale_;  ///< squares of the columns of J, the largest so far
  double damping_ = first_damping;
  Fit fit_;
};

}  // namespace

Fit fit_least_squares(const Residuals& residuals, long count, const VectorX& start, const FitOptions& options) {
  return LeastSquares(residuals, count, options).run(start);
}

}  // namespace lithe::detail
