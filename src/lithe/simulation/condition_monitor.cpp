#include "lithe/simulation/condition_monitor.hpp"

#include <algorithm>

#include "lithe/simulation/coordinate_kind.hpp"

namespace lithe::detail {
namespace {

constexpr double worth_a_look = 3.0;     ///< times worse than when chosen: see what the best set would give
constexpr double worth_a_change = 10.0;  ///< times worse than the best set: take that
constexpr double suspicious = 1e3;       ///< condition number that explains why an integrator gave up

}  // namespace

ConditionMonitor::ConditionMonitor(const RunOptions& options, const Plan& plan, Workspace& work, std::vector<int> keep)
    : options_(options),
      plan_(plan),
      work_(work),
      probe_(plan, work.uses_planar_arithmetic() ? Arithmetic::automatic : Arithmetic::spatial),
      keep_(std::move(keep)),
      may_change_(plan.options().coordinates == Coordinates::automatic),
      speed_scale_(VectorX::Ones(plan.nv())) {
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const JointType type = plan.mechanism().joints[j].type;
    if (place.cut) continue;
    for (int i = 0; i < place.nv; ++i) {
      if (is_distance(type, i)) speed_scale_[place.v + i] = plan.characteristic_length();
    }
  }
}

// The set that pivoting alone prefers: the best determined speeds become dependent, kept ones never do.
bool ConditionMonitor::probe_best_set(const VectorX& q) {
  closure_jacobian(plan_, work_, q, A_);
  A_ = A_ * speed_scale_.asDiagonal();
  for (const int v : keep_) A_.col(v).setZero();
  const Eigen::ColPivHouseholderQR<MatrixX> qr(A_);
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> independent(order.data() + static_cast<std::ptrdiff_t>(work_.dependent().size()),
                               order.data() + order.size());
  return static_cast<bool>(select_independent(plan_, probe_, q, independent));
}

std::string ConditionMonitor::describe_singular(const Singularity& s, double condition, double t) const {
  return describe(plan_, {Status::Code::singular_closure, s.worst_loop, condition}, t);
}

ConditionMonitor::Verdict ConditionMonitor::check(const State& state, Audit& audit) {
  if (plan_.closure_count() == 0) return Verdict::fine;
  const Singularity s = singularity(plan_, work_, state.q);
  audit.worst_condition = std::max(audit.worst_condition, s.closure);
  if (s.closure > options_.condition_limit || (!may_change_ && s.dependent > options_.condition_limit)) {
    message_ = describe_singular(s, std::max(s.closure, s.dependent), state.t);
    return Verdict::singular;
  }
  const int now = orientation(state.q);
  if (orientation_ != 0 && now != orientation_) {
    message_ = describe_singular(s, s.dependent, state.t);
    return may_change_ ? Verdict::passed : Verdict::singular;
  }
  orientation_ = now;
  if (reference_ == 0.0) reference_ = s.dependent;
  if (!may_change_ || s.dependent < worth_a_look * reference_) return Verdict::fine;
  if (!probe_best_set(state.q)) return Verdict::fine;
  const double other = singularity(plan_, probe_, state.q).dependent;
  if (s.dependent > worth_a_change * other) return Verdict::change_set;
  if (s.dependent > options_.condition_limit) {
    message_ = describe_singular(s, s.dependent, state.t);
    return Verdict::singular;
  }
  return Verdict::fine;
}

bool ConditionMonitor::change_set(const VectorX& q) {
  if (!may_change_ || plan_.closure_count() == 0) return false;
  if (!probe_best_set(q) || probe_.independent() == work_.independent()) return false;
  if (!select_independent(plan_, work_, q, probe_.independent())) return false;
  reference_ = 0.0;
  orientation_ = 0;
  return true;
}

std::string ConditionMonitor::diagnosis(const State& state) {
  if (plan_.closure_count() == 0) return "";
  const Singularity s = singularity(plan_, work_, state.q);
  const double condition = std::max(s.closure, s.dependent);
  return condition > suspicious ? describe_singular(s, condition, state.t) : "";
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
  for (Eigen::Index i = 0; i < n; ++i) {
    if (factor_.matrixLU()(i, i) < 0.0) sign = -sign;
  }
  return sign;
}

}  // namespace lithe::detail
