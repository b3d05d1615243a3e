#include "lithe/simulation/condition_monitor.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "lithe/kinematics/closure_conditions.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe::detail {
namespace {

constexpr double worth_a_look = 3.0;     ///< times worse than when chosen: see what the best set would give
constexpr double worth_a_change = 10.0;  ///< times worse than the best set: take that
constexpr int steps_between_looks = 8;
constexpr double suspicious = 1e3;     ///< condition number that explains why an integrator gave up
constexpr double worsening = 0.75;     ///< times the weakness of the last look: look again
constexpr double longest_stay = 1e-3;  ///< part of the run: who is in a singular pose for longer has come to rest there
constexpr double jump = 0.5;           ///< change of the complement in one step, relative to one plus its size

std::string describe_singular(const Plan& plan, const Singularity& s, double condition, double t) {
  return describe(plan, {Status::Code::singular_closure, s.worst_loop, condition}, t);
}

}  // namespace

std::string singular_diagnosis(const Plan& plan, Workspace& work, const State& state) {
  if (plan.closure_count() == 0) return "";
  const Singularity s = closure_singularity(plan, work, state.q);
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
  is_driven_ = !keep_.empty() && std::all_of(work.independent().begin(), work.independent().end(), [&](int v) {
    return plan.is_bending(v) || std::find(keep_.begin(), keep_.end(), v) != keep_.end();
  });
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
    independent.assign(order.data() + std::ssize(work_.dependent()), order.data() + order.size());
  }
  return select_independent(plan_, probe_, q, independent) &&
         (probe_.independent() != work_.independent() || probe_.redundant_rows() != work_.redundant_rows());
}

void ConditionMonitor::look_at(const VectorX& q, Look& look) {
  with_kernel(work_, [&](auto& k) {
    update_positions(k, q);
    look.status = update_complement(k);
    look.weakness = k.weakness;
    look.crosses = k.crosses;
    look.blocks.resize(k.loops.size());
    look.complements.resize(k.loops.size());
    for (std::size_t b = 0; b < k.loops.size(); ++b) {
      const LoopBlock& loop = k.loops[b];
      const auto scale = [&](int column) { return speed_scale_[loop.speed(column)]; };
      if (is_driven_) look.blocks[b] = loop.A(loop.rows, loop.dependent);
      look.complements[b].resize(k.K[b].rows(), k.K[b].cols());
      for (Eigen::Index i = 0; i < k.K[b].rows(); ++i)
        for (Eigen::Index j = 0; j < k.K[b].cols(); ++j)
          look.complements[b](i, j) = k.K[b](i, j) * scale(loop.independent[j]) / scale(loop.dependent[i]);
    }
  });
}

namespace {

/// Is there a singular value that went through zero on the way from one block to the other?
bool crosses_zero(const MatrixX& from, const MatrixX& to) {
  const MatrixX ratio = Eigen::PartialPivLU<MatrixX>(from).solve(to);
  // Where the block has hardly changed, all eigenvalues of the ratio are near one.
  const double change = (ratio - MatrixX::Identity(ratio.rows(), ratio.cols())).cwiseAbs().rowwise().sum().maxCoeff();
  if (change < 0.9) return false;
  if (!ratio.allFinite()) return true;
  const auto values = Eigen::EigenSolver<MatrixX>(ratio, false).eigenvalues();
  return std::any_of(values.begin(), values.end(),
                     [](const auto& value) { return value.real() < 0.0 && std::abs(value.imag()) <= -value.real(); });
}

}  // namespace

bool ConditionMonitor::has_crossed() const {
  for (std::size_t b = 0; b < now_.blocks.size(); ++b)
    if (now_.blocks[b].size() > 0 && crosses_zero(last_.blocks[b], now_.blocks[b])) return true;
  return false;
}

bool ConditionMonitor::has_jumped() const {
  for (std::size_t b = 0; b < now_.complements.size(); ++b) {
    const MatrixX &now = now_.complements[b], &last = last_.complements[b];
    if (now.size() == 0) continue;
    const double size = std::max(now.cwiseAbs().maxCoeff(), last.cwiseAbs().maxCoeff());
    if (!((now - last).cwiseAbs().maxCoeff() <= jump * (1.0 + size))) return true;
  }
  return false;
}

ConditionMonitor::Verdict ConditionMonitor::stop(const State& state, double condition) {
  message_ = describe_singular(plan_, closure_singularity(plan_, work_, state.q), condition, state.t);
  return Verdict::singular;
}

ConditionMonitor::Verdict ConditionMonitor::check(const State& state, Audit& audit) {
  if (plan_.closure_count() == 0) return Verdict::fine;
  look_at(state.q, now_);
  const Verdict verdict = judge(state, audit);
  if (verdict == Verdict::fine || verdict == Verdict::change_set) {
    std::swap(now_, last_);
    is_known_ = true;
  }
  return verdict;
}

ConditionMonitor::Verdict ConditionMonitor::judge(const State& state, Audit& audit) {
  const bool jumped = is_known_ && has_jumped();
  // Where all motion is prescribed nothing but the closures determines the other joints: no momentum leads them
  // through.
  const bool crossed = is_driven_ && is_known_ && has_crossed();
  if (now_.crosses && !is_driven_ && !jumped) {
    // The motion goes through; one that comes to rest there has no branch to follow.
    audit.worst_condition = std::max(audit.worst_condition, 1.0 / now_.weakness);
    if (now_.weakness * options_.condition_limit >= 1.0) {
      in_pose_since_ = std::numeric_limits<double>::infinity();
      return Verdict::fine;
    }
    in_pose_since_ = std::min(in_pose_since_, state.t);
    if (!(state.t - in_pose_since_ > longest_stay * (options_.until - options_.from))) return Verdict::fine;
    return stop(state, 1.0 / now_.weakness);
  }
  in_pose_since_ = std::numeric_limits<double>::infinity();
  // Singular values are dear: they are looked at now and then, and at once when the pivots get worse.
  const bool examine = jumped || crossed || !now_.status || reference_ == 0.0 ||
                       ++steps_unexamined_ >= steps_between_looks || now_.weakness < worsening * examined_weakness_;
  if (!examine) return Verdict::fine;
  steps_unexamined_ = 0;
  examined_weakness_ = now_.weakness;
  const Singularity s = closure_conditions(work_, state.q, false);
  audit.worst_condition = std::max(audit.worst_condition, s.closure);
  const double condition = std::max(s.closure, s.dependent);
  if (s.closure > options_.condition_limit || crossed) return stop(state, condition);
  if (!now_.status || jumped) {
    message_ = describe_singular(plan_, closure_singularity(plan_, work_, state.q), condition, state.t);
    return Verdict::passed;
  }
  if (reference_ == 0.0) reference_ = s.dependent;
  if (s.dependent < worth_a_look * reference_ && s.dependent <= options_.condition_limit) return Verdict::fine;
  if (probe_better_selection(state.q) &&
      s.dependent > worth_a_change * closure_conditions(probe_, state.q, false).dependent) {
    return Verdict::change_set;
  }
  return s.dependent <= options_.condition_limit ? Verdict::fine : stop(state, s.dependent);
}

bool ConditionMonitor::change_set(const VectorX& q) {
  if (plan_.closure_count() == 0 || !probe_better_selection(q)) return false;
  if (!select_independent(plan_, work_, q, probe_.independent())) return false;
  reference_ = 0.0;
  is_known_ = false;
  return true;
}

}  // namespace lithe::detail
