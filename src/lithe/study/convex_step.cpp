#include "lithe/study/convex_step.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

namespace lithe::detail {
namespace {

using ConstVector = Eigen::Map<const VectorX>;

constexpr int most_iterations = 50;

/// Over weight: then the curvature is the one that SLSQP begins with.
double objective(unsigned n, const double* x, double* slope, void* data) {
  const auto& step = *static_cast<const ConvexStep*>(data);
  const ConstVector at(x, n), d(x, n - 1);
  if (slope != nullptr) {
    Eigen::Map<VectorX> to(slope, n);
    to = at;
    to.head(n - 1) += step.slope / step.weight;
    to[n - 1] += step.penalty / step.weight;
  }
  return 0.5 * at.squaredNorm() + (step.slope.dot(d) + step.penalty * x[n - 1]) / step.weight;
}

void linear_limits(unsigned count, double* values, unsigned n, const double* x, double* slopes, void* data) {
  const auto& step = *static_cast<const ConvexStep*>(data);
  Eigen::Map<VectorX> to(values, count);
  to.noalias() = step.slopes * ConstVector(x, n - 1);
  to += step.limits;
  to.array() -= x[n - 1];
  if (slopes == nullptr) return;
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(slopes, count, n);
  rows.leftCols(n - 1) = step.slopes;
  rows.col(n - 1).setConstant(-1.0);
}

}  // namespace

bool ConvexStep::solve(VectorX& step) const {
  const auto n = static_cast<unsigned>(slope.size() + 1);
  const std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)> handle(nlopt_create(NLOPT_LD_SLSQP, n),
                                                                                      nlopt_destroy);
  std::vector<double> x(n, 0.0), from(low.begin(), low.end()), to(high.begin(), high.end());
  x.back() = std::max(0.0, limits.size() > 0 ? limits.maxCoeff() : 0.0);
  from.push_back(0.0);
  to.push_back(HUGE_VAL);
  void* self = const_cast<ConvexStep*>(this);  // NLopt hands it on as it is
  nlopt_set_lower_bounds(handle.get(), from.data());
  nlopt_set_upper_bounds(handle.get(), to.data());
  nlopt_set_xtol_abs1(handle.get(), 1e-9);
  nlopt_set_maxeval(handle.get(), most_iterations);
  nlopt_set_min_objective(handle.get(), objective, self);
  const std::vector<double> slack(limits.size(), 1e-9);
  nlopt_add_inequality_mconstraint(handle.get(), static_cast<unsigned>(limits.size()), linear_limits, self,
                                   slack.data());
  double reached = 0.0;
  const nlopt_result result = nlopt_optimize(handle.get(), x.data(), &reached);
  step = ConstVector(x.data(), n - 1);
  return (result > 0 || result == NLOPT_ROUNDOFF_LIMITED) && step.allFinite();
}

}  // namespace lithe::detail
