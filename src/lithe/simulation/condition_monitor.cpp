#include "lithe/simulation/condition_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/mechanism/coordinate_kind.hpp"

namespace lithe::detail {
namespace {

constexpr double worth_a_look = 3.0;     ///< times worse than when chosen: see what the best set would give
constexpr double worth_a_change = 10.0;  ///< times worse than the best set: take that
constexpr int steps_between_looks = 8;
constexpr double suspicious = 1e3;  ///< condition number that explains why an integrator gave up

std::string describe_singular(const Plan& plan, const Singularity& s, double condition, double t) {
  return describe(plan, {Status::Code::singular_closure, s.worst_loop, condition}, t);
}

}  // namespace

std::string singular_diagnosis(const Plan& plan, Workspace& work, const State& state) {
  if (plan.closure_count() == 0) return "";
  const Singularity s = singularity(plan, work, state.q);
  const double condition = std::max(s.closure, s.dependent);
  return condition > suspicious ? describe_singular(plan, s, condition, state.t) : "";
}

ConditionMonitor::ConditionMonitor(const RunOptions& options, const Plan& plan, Workspace& work, std::vector<int> keep)
    : options_(options),
      plan_(plan),
      work_(work),
      probe_(plan, work.uses_planar_arithmetic() ? Arithmetic::automatic : Arithmetic::spatial),
      keep_(std::move(keep)),
      may_change_(plan.options().coordinates == Coordinates::automatic),
      speed_scale_(VectorX::Ones(plan.nv())) {
  for (int v = 0; v < plan.nv(); ++v) speed_scale_[v] = plan.speed_scale(v);
}

// The set that pivoting alone prefers: the best determined speeds become dependent, kept ones never do. A set that was
// asked for stays; but of redundant closures others may now be the better ones to solve.
bool ConditionMonitor::probe_better_selection(const VectorX& q) {
  std::vector<int> independent = work_.independent();
  if (may_change_) {
    closure_jacobian(plan_, work_, q, A_);
    A_ = A_ * speed_scale_.asDiagonal();
    for (const int v : keep_) A_.col(v).setZero();
    for (const int v : work_.independent()) {
      if (plan_.is_bending(v)) A_.col(v).setZero();
    }
    const Eigen::ColPivHouseholderQR<MatrixX> qr(A_);
    const auto& order = qr.colsPermutation().indices();
    independent.assign(order.data() + static_cast<std::ptrdiff_t>(work_.dependent().size()),
                       order.data() + order.size());
  }
  return select_independent(plan_, probe_, q, independent) &&
         (probe_.independent() != work_.independent() || probe_.redundant_rows() != work_.redundant_rows());
}

ConditionMonitor::Verdict ConditionMonitor::check(const State& state, Audit& audit) {
  if (plan_.closure_count() == 0) return Verdict::fine;
  const int now = orientation(state.q);
  const bool passed = orientation_ != 0 && now != orientation_;
  // Singular values are dear: they are looked at now and then, and at once when the pivots get worse.
  const bool examine =
      passed || reference_ == 0.0 || ++steps_unexamined_ >= steps_between_looks || pivot_ratio_ > 1.3 * examined_ratio_;
  if (!examine) return Verdict::fine;
  steps_unexamined_ = 0;
  examined_ratio_ = pivot_ratio_;
  const Singularity s = singularity(plan_, work_, state.q);
  audit.worst_condition = std::max(audit.worst_condition, s.closure);
  if (s.closure > options_.condition_limit) {
    message_ = describe_singular(plan_, s, std::max(s.closure, s.dependent), state.t);
    return Verdict::singular;
  }
  if (passed) {
    message_ = describe_singular(plan_, s, s.dependent, state.t);
    return Verdict::passed;
  }
  orientation_ = now;
  if (reference_ == 0.0) reference_ = s.dependent;
  if (s.dependent < worth_a_look * reference_ && s.dependent <= options_.condition_limit) return Verdict::fine;
  if (probe_better_selection(state.q) && s.dependent > worth_a_change * singularity(plan_, probe_, state.q).dependent) {
    return Verdict::change_set;
  }
  if (s.dependent <= options_.condition_limit) return Verdict::fine;
  message_ = describe_singular(plan_, s, s.dependent, state.t);
  return Verdict::singular;
}

bool ConditionMonitor::change_set(const VectorX& q) {
  if (plan_.closure_count() == 0 || !probe_better_selection(q)) return false;
  if (!select_independent(plan_, work_, q, probe_.independent())) return false;
  reference_ = 0.0;
  orientation_ = orientation(q);
  return true;
}

int ConditionMonitor::orientation(const VectorX& q) {
  closure_jacobian(plan_, work_, q, A_);
  const std::vector<int>& dependent = work_.dependent();
  const std::vector<int>& redundant = work_.redundant_rows();
  const auto n = static_cast<Eigen::Index>(dependent.size());
  block_.resize(n, n);
  Eigen::Index row = 0;
  for (Eigen::Index i = 0; i < A_.rows() && row < n; ++i) {
    if (std::find(redundant.begin(), redundant.end(), static_cast<int>(i)) != redundant.end()) continue;
    for (Eigen::Index j = 0; j < n; ++j) block_(row, j) = A_(i, dependent[static_cast<std::size_t>(j)]);
    ++row;
  }
  factor_.compute(block_);
  int sign = static_cast<int>(factor_.permutationP().determinant());
  double largest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double pivot = factor_.matrixLU()(i, i);
    if (pivot < 0.0) sign = -sign;
    largest = std::max(largest, std::abs(pivot));
    smallest = std::min(smallest, std::abs(pivot));
  }
  pivot_ratio_ = n > 0 ? largest / smallest : 1.0;
  return sign;
}

}  // namespace lithe::detail
