#include "lithe/simulation/mechanism_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/passive_matrices.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/rotation_chart.hpp"

namespace lithe::detail {
namespace {

constexpr double ahead = 1e-5;  ///< rad, or what compares with it: so far the motion goes for stiffness and damping
constexpr double heavy = 1e12;  ///< times its inertia: a coordinate that stands still
constexpr double widest_turn = 2.0;  ///< rad; beyond it the chart of a rotation is no longer good

ChartMotion read_turn(const MotionPoint& point, int place) {
  return {point.x.segment<3>(place), point.rate.segment<3>(place), point.second.segment<3>(place)};
}

void write_turn(const ChartMotion& motion, int place, MotionPoint& point) {
  point.x.segment<3>(place) = motion.theta;
  point.rate.segment<3>(place) = motion.rate;
  point.second.segment<3>(place) = motion.second;
}

}  // namespace

MechanismMotion::MechanismMotion(const Plan& plan, Workspace& work, DriveSet& drives, Equations& equations)
    : plan_(plan), work_(work), drives_(drives), equations_(equations) {
  state_.q = plan.neutral();
  state_.v = VectorX::Zero(plan.nv());
  placed_ = state_;
  step_ = VectorX::Zero(plan.nv());
}

// The free coordinates: independent speeds that follow no law. A rotation in space must be free as a whole.
RunStatus MechanismMotion::choose_free() {
  independent_ = work_.independent();
  free_.clear();
  free_place_.clear();
  turns_.clear();
  const std::vector<int>& prescribed = drives_.prescribed();
  for (std::size_t i = 0; i < independent_.size(); ++i) {
    if (std::find(prescribed.begin(), prescribed.end(), independent_[i]) != prescribed.end()) continue;
    free_.push_back(independent_[i]);
    free_place_.push_back(static_cast<int>(i));
  }
  for (std::size_t j = 0; j < plan_.places().size(); ++j) {
    const JointPlace& place = plan_.places()[j];
    if (place.cut || !plan_.mechanism().joints[j].facts().has_quaternion()) continue;
    const int turn = place.v + place.nv - 3;
    const auto first = std::find(free_.begin(), free_.end(), turn);
    const auto known = std::count_if(free_.begin(), free_.end(), [&](int v) { return v >= turn && v < turn + 3; });
    if (known == 0) continue;
    if (known < 3)
      return RunStatus::refused(fmt::format(
          "integrator 'exponential' cannot count the rotation of joint '{}', which is partly free and partly given by "
          "the loops; use integrator 'dopri' or 'bdf'",
          plan_.mechanism().joints[j].name));
    turns_.push_back(static_cast<int>(first - free_.begin()));
  }
  scales_.resize(count());
  for (int i = 0; i < count(); ++i) scales_[i] = plan_.speed_scale(free_[i]);
  return {};
}

RunStatus MechanismMotion::begin(double t, const VectorX& y, MotionPoint& point) {
  if (RunStatus chosen = choose_free(); !chosen) return chosen;
  base_.t = t;
  base_.q = y.head(plan_.nq());
  if (origin_.size() == 0) origin_ = base_.q;
  point.resize(count());
  point.t = t;
  for (int i = 0; i < count(); ++i) point.rate[i] = y[plan_.nq() + free_place_[i]];
  const auto dependents = std::ssize(work_.dependent());
  with_kernel(work_, [&](auto& k) { complement_ = k.K; });
  for (RowMatrix& block : complement_) block.setZero();
  slope_ = complement_;
  curvature_.setZero(dependents);
  near_.values = far_.values = remainder_ = curvature_;
  along_slope_.setZero(plan_.nv());
  remainders_ = 0;
  knows_rubbing_ = false;
  return {};
}

void MechanismMotion::advance(const MotionPoint& start) {
  place(start, placed_);
  // The remainder bends on as it did.
  if (remainders_ > 0) {
    const Remainder& last = remainders_ > 1 ? far_ : near_;
    const double length = last.t - base_.t;
    if (remainders_ > 1) {
      const double first = near_.t - base_.t;
      curvature_ = 2.0 * (far_.values / length - near_.values / first) / (length - first);
    } else {
      curvature_ = 2.0 * last.values / (length * length);
    }
  }
  base_.t = start.t;
  base_.q = placed_.q;
  slope_ = complement_;
  remainders_ = 0;
}

void MechanismMotion::express(const MotionPoint& start, MotionPoint& point) const {
  for (int i = 0; i < count(); ++i) {
    const bool turns = std::any_of(turns_.begin(), turns_.end(), [&](int turn) { return i >= turn && i < turn + 3; });
    if (!turns) point.x[i] -= start.x[i];
  }
  for (const int turn : turns_)
    write_turn(in_chart_from(start.x.segment<3>(turn), read_turn(point, turn)), turn, point);
}

void MechanismMotion::guess_remainder(double t) {
  const double time = t - base_.t;
  if (remainders_ == 0) {
    remainder_ = (0.5 * time * time) * curvature_;
  } else if (remainders_ == 1) {
    const double part = time / (near_.t - base_.t);
    remainder_ = (part * part) * near_.values;
  } else {
    const double first = near_.t - base_.t, second = far_.t - base_.t;
    remainder_ = (time * (second - time) / (first * (second - first))) * near_.values +
                 (time * (time - first) / (second * (second - first))) * far_.values;
  }
}

// State on its way to the closures: free coordinates as asked for, prescribed ones on their laws, dependent ones where
// complement and remainder lead.
void MechanismMotion::place(const MotionPoint& point, State& state) {
  state.t = point.t;
  state.q = base_.q;
  static_cast<void>(drives_.impose(state));  // what it refuses, the evaluation refuses
  step_.setZero();
  for (std::size_t i = 0; i < drives_.prescribed().size(); ++i) {
    const int q = drives_.prescribed_positions()[i];
    step_[drives_.prescribed()[i]] = state.q[q] - base_.q[q];
  }
  for (int i = 0; i < count(); ++i) step_[free_[i]] = point.x[i];
  const std::vector<int>& dependent = work_.dependent();
  if (!dependent.empty()) {
    guess_remainder(point.t);
    with_kernel(work_, [&](auto& k) { complete_dependent(k, slope_, step_, along_slope_); });
    for (std::size_t i = 0; i < dependent.size(); ++i) step_[dependent[i]] = along_slope_[dependent[i]] + remainder_[i];
  }
  state.q = base_.q;
  add_step(plan_.compiled(), step_, state.q);
  for (int i = 0; i < count(); ++i) state.v[free_[i]] = point.rate[i];
  for (const int turn : turns_) state.v.segment<3>(free_[turn]) = body_motion(read_turn(point, turn)).omega;
}

// After an evaluation at time t, whose coordinates stand in state_.
void MechanismMotion::keep_remainder(double t) {
  if (work_.dependent().empty() || t <= base_.t) return;
  step_between(plan_.compiled(), base_.q, state_.q, step_);
  if (remainders_ == 2 && t != near_.t && t != far_.t) remainders_ = 0;
  if (remainders_ == 1 && t < near_.t) remainders_ = 0;
  Remainder& kept = remainders_ == 0 || t == near_.t ? near_ : far_;
  remainders_ = std::max(remainders_, &kept == &near_ ? 1 : 2);
  kept.t = t;
  for (std::size_t i = 0; i < work_.dependent().size(); ++i) {
    const int v = work_.dependent()[i];
    kept.values[i] = step_[v] - along_slope_[v];
  }
}

RunStatus MechanismMotion::evaluate(MotionPoint& point) {
  for (const int turn : turns_)
    if (!(point.x.segment<3>(turn).norm() <= widest_turn)) return RunStatus::refused();
  if (!point.x.allFinite() || !point.rate.allFinite()) return RunStatus::refused();
  place(point, state_);
  state_.t = drives_.law_time(point.t);  // laws in machine elements
  RunStatus evaluated = equations_.settle(state_, true);
  if (evaluated) evaluated = equations_.evaluate(state_);
  if (!evaluated) return evaluated;
  const VectorX& a = equations_.accelerations();
  for (int i = 0; i < count(); ++i) point.second[i] = a[free_[i]];
  for (const int turn : turns_) {
    const int v = free_[turn];
    write_turn(chart_motion(point.x.segment<3>(turn), {state_.v.segment<3>(v), a.segment<3>(v)}), turn, point);
  }
  if (!point.second.allFinite()) return RunStatus::refused();
  point.supplied = equations_.supplied(state_);
  point.dissipated = lost_power();
  if (!complement_.empty()) {
    with_kernel(work_, [&](auto& k) { complement_ = k.K; });
    if (point.t == base_.t) slope_ = complement_;
  }
  keep_remainder(point.t);
  look_at_deflection();
  return {};
}

// Where dry friction rubs against a link that rings, its power swings many times in a step, which nobody can integrate from a
// few places. But the work of the force that it had when it began is that force times the way, so that power is taken out
// here, and the work added in state().
double MechanismMotion::lost_power() {
  JointHolds& holds = equations_.holds();
  const double lost = equations_.dissipated(state_);
  if (holds.empty()) return lost;
  if (!knows_rubbing_) {
    holds.rubbing(rubbing_);
    holds.rubbing_positions(state_, rubbing_from_);
    knows_rubbing_ = true;
  }
  holds.rubbing_speeds(state_, rubbing_now_);
  return lost + rubbing_.dot(rubbing_now_);
}

void MechanismMotion::look_at_deflection() {
  const auto look = [&](int q, int v, double from) {
    largest_ = std::max(largest_, std::abs(state_.q[q] - from) / plan_.speed_scale(v));
  };
  if (plan_.is_elastic()) {
    for (const ElasticPlace& place : plan_.elastic_places())
      for (int k = 0; k < place.count; ++k) look(place.q + k, place.v + k, 0.0);
    return;
  }
  for (std::size_t j = 0; j < plan_.places().size(); ++j) {
    const JointPlace& place = plan_.places()[j];
    if (place.cut) continue;
    const int scalars = plan_.mechanism().joints[j].facts().scalars();
    for (int k = 0; k < scalars; ++k) look(place.q + k, place.v + k, origin_[place.q + k]);
    for (int k = scalars; k < place.nv; ++k) look(place.q + k + 1, place.v + k, origin_[place.q + k + 1]);
  }
}

Status MechanismMotion::inertia(MatrixX& inertia) {
  MatrixX all;
  const Status status = generalised_inertia(plan_, work_, state_.q, all);
  if (status) inertia = all(free_place_, free_place_);
  equations_.holds().held_speeds(held_);
  return status && !held_.empty() ? make_held_heavy(inertia) : status;
}

// What stands still has no part in the oscillation. Oscillators in which it is much heavier than all that pulls at it leave
// it alone; its true acceleration, zero, comes from the evaluations as ever.
Status MechanismMotion::make_held_heavy(MatrixX& inertia) {
  MatrixX rates, J;
  if (Status status = loop_complement(plan_, work_, state_.q, rates); !status) return status;
  if (std::any_of(held_.begin(), held_.end(), [&](int v) { return v >= plan_.nv(); })) {
    cut_jacobian(plan_, work_, state_.q, J);
    const MatrixX of_cuts = J * rates;
    rates.conservativeResize(plan_.nv() + of_cuts.rows(), Eigen::NoChange);
    rates.bottomRows(of_cuts.rows()) = of_cuts;
  }
  const Eigen::LLT<MatrixX> factor(inertia);
  for (const int speed : held_) {
    const VectorX rate = rates.row(speed)(free_place_).transpose();
    const double mobility = rate.dot(VectorX(factor.solve(rate)));
    if (mobility > 0.0) inertia += (heavy / mobility) * rate * rate.transpose();
  }
  return {};
}

Status MechanismMotion::matrices(OscillatorMatrices& matrices) {
  MatrixX all;
  Status status = inertia(matrices.inertia);
  if (status) status = loop_complement(plan_, work_, state_.q, all);
  if (!status) return status;
  const MatrixX N = all(Eigen::all, free_place_);
  matrices.stiffness = matrices.damping = MatrixX::Zero(count(), count());
  double speed = 0.0;
  for (int v = 0; v < plan_.nv(); ++v) speed = std::max(speed, std::abs(state_.v[v]) / plan_.speed_scale(v));
  VectorX q = state_.q;
  if (speed > 0.0) add_step(plan_.compiled(), VectorX((ahead / speed) * state_.v), q);
  add_passive_matrices(plan_, work_, q, N, matrices.stiffness, matrices.damping);
  drives_.add_gains(work_, state_.q, N, matrices.stiffness, matrices.damping);
  return status;
}

void MechanismMotion::accelerations(const MotionPoint& point, VectorX& a) const {
  for (int i = 0; i < count(); ++i) a[free_[i]] = point.second[i];
  for (const int turn : turns_) a.segment<3>(free_[turn]) = body_motion(read_turn(point, turn)).alpha;
}

void MechanismMotion::state(const MotionPoint& point, double work, double dissipated, VectorX& y) {
  place(point, placed_);
  y.resize(equations_.size());
  if (knows_rubbing_) {
    equations_.holds().rubbing_positions(placed_, rubbing_now_);
    dissipated -= rubbing_.dot(rubbing_now_ - rubbing_from_);
  }
  equations_.pack(placed_, {work, dissipated}, y);
}

}  // namespace lithe::detail
