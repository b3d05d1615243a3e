#include "lithe/simulation/multiplier_dae.hpp"

#include <Eigen/QR>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/crossing.hpp"

namespace lithe::detail {

MultiplierDae::MultiplierDae(const Plan& plan, Workspace& work, DriveSet& drives)
    : plan_(plan),
      work_(work),
      drives_(drives),
      actions_(plan),
      a_(VectorX::Zero(plan.nv())),
      force_(plan.nv()),
      speeds_(plan.nv()),
      qdot_(plan.nq()) {
  state_.q = plan.neutral();
  state_.v = VectorX::Zero(plan.nv());
}

DaeSystem MultiplierDae::system() {
  const int m = closures();
  DaeSystem system;
  system.reported = reported();
  system.size = reported() + 2 * m;
  system.controlled = reported() - 2;
  system.coordinates = plan_.nq();
  system.differential = VectorX::Ones(system.size);
  system.differential.tail(2 * m).setZero();
  system.residual = [this](double t, VectorIn y, VectorIn rate, VectorOut r) { return residual(t, y, rate, r); };
  system.start = [this](double t, VectorIn state, VectorOut y, VectorOut rate) { return start(t, state, y, rate); };
  return system;
}

void MultiplierDae::place(double t, VectorIn y) {
  state_.t = t;
  state_.q = y.head(plan_.nq());
  state_.v = y.segment(plan_.nq(), plan_.nv());
  normalise_quaternions(plan_, state_.q);
}

// Multiplied by the inverse of the dependent block, A becomes [1, -K] and the closures the errors of the dependent
// coordinates. Both stay regular where a branch leads through a singular pose, and so do their multipliers.
Status MultiplierDae::reduce_closures() {
  return with_kernel(work_, [&](auto& k) {
    update_positions(k, state_.q);
    const Status status = update_complement(k);
    if (!status) return status;
    const Selection& s = k.selection;
    reduced_.setZero(closures(), plan_.nv());
    errors_.resize(closures());
    for (int i = 0; i < closures(); ++i) {
      reduced_(i, s.dependent[i]) = 1.0;
      errors_[i] = k.c[s.rows[i]];
    }
    for (std::size_t b = 0; b < k.loops.size(); ++b)
      for (Eigen::Index r = 0; r < k.K[b].rows(); ++r) {
        const int i = k.loops[b].dependent_at[r];
        for_each_slope(k.loops[b], k.K[b], r,
                       [&](Eigen::Index j, double slope) { reduced_(i, s.independent[j]) = -slope; });
      }
    if (!k.crosses) {
      solve_dependent(k, errors_.data());
      return status;
    }
    step_between(k.compiled, k.crossing->q, state_.q, k.scratch_v);
    for (int i = 0; i < closures(); ++i) errors_[i] = k.scratch_v[s.dependent[i]];
    return status;
  });
}

RunStatus MultiplierDae::residual(double t, VectorIn y, VectorIn rate, VectorOut r) {
  const int nq = plan_.nq(), nv = plan_.nv(), m = closures();
  place(t, y);
  if (!state_.q.allFinite() || !state_.v.allFinite()) return RunStatus::refused();
  if (RunStatus driven = drives_.evaluate(state_, work_, actions_); !driven) return driven;
  if (const Status reduced = reduce_closures(); !reduced) return {plan_, reduced, t};

  // Positions follow the speeds, corrected along the closures.
  speeds_ = state_.v;
  speeds_.noalias() -= reduced_.transpose() * y.tail(m);
  coordinate_rates(plan_, state_.q, speeds_, qdot_);
  r.head(nq) = rate.head(nq) - qdot_;

  // Dynamics of the tree.
  a_ = rate.segment(nq, nv);
  missing_force(plan_, work_, state_, a_, actions_, force_);
  force_.noalias() -= reduced_.transpose() * y.segment(reported(), m);
  r.segment(nq, nv) = force_;

  // Prescribed joints are where their laws want them; what is left of the dynamics is the force they need.
  if (!drives_.prescribed().empty()) {
    wanted_ = state_;
    if (RunStatus imposed = drives_.impose(wanted_); !imposed) return imposed;
    for (const int position : drives_.prescribed_positions()) r[position] = state_.q[position] - wanted_.q[position];
    for (const int speed : drives_.prescribed()) {
      actions_.tau[speed] = force_[speed];
      r[nq + speed] = state_.v[speed] - wanted_.v[speed];
    }
  }

  r[nq + nv] = rate[nq + nv] - supplied_power(plan_, work_, state_, actions_);
  r[nq + nv + 1] = rate[nq + nv + 1] - dissipated_power(plan_, work_, state_);

  r.segment(reported(), m) = errors_;
  r.tail(m).noalias() = reduced_ * state_.v;
  return r.allFinite() ? RunStatus() : RunStatus::refused();
}

RunStatus MultiplierDae::start(double t, VectorIn state, VectorOut y, VectorOut rate) {
  const int nq = plan_.nq(), nv = plan_.nv(), m = closures();
  y.setZero();
  rate.setZero();
  y.head(reported()) = state;
  place(t, state);
  if (RunStatus driven = drives_.evaluate(state_, work_, actions_); !driven) return driven;
  drives_.impose_accelerations(t, a_);
  Status status = forward_dynamics(plan_, work_, state_, actions_, a_, {Formulation::noc, drives_.prescribed()});
  if (!status) return {plan_, status, t};
  coordinate_rates(plan_, state_.q, state_.v, qdot_);
  rate.head(nq) = qdot_;
  rate.segment(nq, nv) = a_;
  // lambda: what the tree needs beyond the joint forces; rows of prescribed joints carry unknown forces.
  missing_force(plan_, work_, state_, a_, actions_, force_);
  status = reduce_closures();
  if (!status) return {plan_, status, t};
  MatrixX transposed = reduced_.transpose();
  for (const int speed : drives_.prescribed()) {
    transposed.row(speed).setZero();
    force_[speed] = 0.0;
  }
  if (m > 0) y.segment(reported(), m) = transposed.completeOrthogonalDecomposition().solve(force_);
  rate[nq + nv] = supplied_power(plan_, work_, state_, actions_);
  rate[nq + nv + 1] = dissipated_power(plan_, work_, state_);
  return {};
}

}  // namespace lithe::detail
