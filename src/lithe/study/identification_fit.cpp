#include "lithe/study/identification_fit.hpp"

#include <ceres/ceres.h>

#include <cmath>
#include <memory>

namespace lithe::detail {
namespace {

class ResidualBlock : public ceres::CostFunction {
 public:
  ResidualBlock(const Residuals& residuals, int parameters, int count) : residuals_(residuals) {
    mutable_parameter_block_sizes()->push_back(parameters);
    set_num_residuals(count);
  }

  bool Evaluate(double const* const* parameters, double* values, double** jacobians) const override {
    const VectorX x = Eigen::Map<const VectorX>(parameters[0], parameter_block_sizes()[0]);
    VectorX r(num_residuals());
    MatrixX J;
    const bool wants_slopes = jacobians != nullptr && jacobians[0] != nullptr;
    if (!residuals_(x, r, wants_slopes ? &J : nullptr)) return false;
    Eigen::Map<VectorX>(values, r.size()) = r;
    if (!wants_slopes) return true;
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      for (Eigen::Index j = 0; j < J.cols(); ++j) jacobians[0][i * J.cols() + j] = J(i, j);
    return true;
  }

 private:
  const Residuals& residuals_;
};

class Watcher : public ceres::IterationCallback {
 public:
  explicit Watcher(const FitOptions& options) : options_(options) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    if (options_.progress) options_.progress(summary.iteration, summary.cost);
    const bool stops = options_.stop != nullptr && options_.stop->load();
    return stops ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  const FitOptions& options_;
};

std::string in_words(ceres::TerminationType type, int iterations) {
  switch (type) {
    case ceres::USER_FAILURE:
      return "it was stopped";
    case ceres::NO_CONVERGENCE:
      return "it had not settled after " + std::to_string(iterations) + " steps";
    default:
      return "no step makes the residuals smaller where the model still runs";
  }
}

}  // namespace

namespace {

/// Variables at a bound that the fit would pass. Their number decides whether there is something new.
std::vector<int> pressed_to_bounds(const Residuals& residuals, long count, const VectorX& x, const FitOptions& options) {
  std::vector<int> pressed;
  VectorX r(count);
  MatrixX J;
  const auto is_at = [&](int i, double bound) {
    return std::isfinite(bound) && std::abs(x[i] - bound) <= 1e-9 * std::max(1.0, std::abs(bound));
  };
  bool any = false;
  for (int i = 0; i < static_cast<int>(x.size()); ++i)
    any = any || is_at(i, options.lower[i]) || is_at(i, options.upper[i]);
  if (!any || !residuals(x, r, &J)) return pressed;
  const VectorX uphill = J.transpose() * r;
  for (int i = 0; i < static_cast<int>(x.size()); ++i)
    if ((is_at(i, options.lower[i]) && uphill[i] > 0.0) || (is_at(i, options.upper[i]) && uphill[i] < 0.0))
      pressed.push_back(i);
  return pressed;
}

}  // namespace

Fit fit_least_squares(const Residuals& residuals, long count, const VectorX& start, const FitOptions& options) {
  Fit fit;
  fit.x = start;
  ceres::Problem problem;
  problem.AddResidualBlock(new ResidualBlock(residuals, static_cast<int>(start.size()), static_cast<int>(count)),
                           nullptr, fit.x.data());
  for (int i = 0; i < static_cast<int>(start.size()); ++i) {
    if (std::isfinite(options.lower[i])) problem.SetParameterLowerBound(fit.x.data(), i, options.lower[i]);
    if (std::isfinite(options.upper[i])) problem.SetParameterUpperBound(fit.x.data(), i, options.upper[i]);
  }
  ceres::Solver::Options settings;
  settings.linear_solver_type = ceres::DENSE_QR;
  settings.logging_type = ceres::SILENT;
  settings.max_num_iterations = options.most_iterations;
  settings.max_num_consecutive_invalid_steps = 20;  // a trial where the model does not run is one
  settings.function_tolerance = options.function_tolerance;
  settings.parameter_tolerance = options.parameter_tolerance;
  settings.gradient_tolerance = 0.0;  // depends on units
  Watcher watcher(options);
  settings.callbacks.push_back(&watcher);
  ceres::Solver::Summary summary;
  ceres::Solve(settings, &problem, &summary);
  fit.iterations = static_cast<int>(summary.iterations.size()) - 1;
  // Ceres cuts its steps at the bounds, which leaves the other variables short of their least: they go on alone.
  const std::vector<int> pressed = pressed_to_bounds(residuals, count, fit.x, options);
  if (!pressed.empty() && pressed.size() < static_cast<std::size_t>(start.size())) {
    problem.SetManifold(fit.x.data(), new ceres::SubsetManifold(static_cast<int>(start.size()), pressed));
    ceres::Solve(settings, &problem, &summary);
    fit.iterations += static_cast<int>(summary.iterations.size()) - 1;
  }
  fit.misfit = summary.final_cost;
  fit.converged = summary.termination_type == ceres::CONVERGENCE;
  if (!fit.converged) fit.ending = in_words(summary.termination_type, fit.iterations);
  return fit;
}

}  // namespace lithe::detail
