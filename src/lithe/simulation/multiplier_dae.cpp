#include "lithe/simulation/multiplier_dae.hpp"

#include <Eigen/QR>
#include <algorithm>

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
  closure_values(plan_, work_, state_.q, c_);
  const std::vector<int>& redundant = work.redundant_rows();
  for (int row = 0; row < c_.size(); ++row) {
    if (std::find(redundant.begin(), redundant.end(), row) == redundant.end()) rows_.push_back(row);
  }
  reduced_.resize(static_cast<Eigen::Index>(rows_.size()), plan.nv());
}

DaeSystem MultiplierDae::system() {
  const int m = static_cast<int>(rows_.size());
  DaeSystem system;
  system.reported = reported();
  system.size = reported() + 2 * m;
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

void MultiplierDae::reduce_closures() {
  closure_jacobian(plan_, work_, state_.q, A_);
  for (std::size_t i = 0; i < rows_.size(); ++i) reduced_.row(static_cast<Eigen::Index>(i)) = A_.row(rows_[i]);
}

bool MultiplierDae::residual(double t, VectorIn y, VectorIn rate, VectorOut r) {
  const int nq = plan_.nq(), nv = plan_.nv(), m = static_cast<int>(rows_.size());
  place(t, y);
  if (!state_.q.allFinite() || !state_.v.allFinite()) return false;
  if (!drives_.evaluate(state_, work_, actions_)) return false;
  reduce_closures();

  // Positions follow the speeds, corrected along the closures.
  speeds_ = state_.v;
  speeds_.noalias() -= reduced_.transpose() * y.tail(m);
  coordinate_rates(plan_, state_.q, speeds_, qdot_);
  r.head(nq) = rate.head(nq) - qdot_;

  // Dynamics of the tree.
  a_ = rate.segment(nq, nv);
  tree_inverse_dynamics(plan_, work_, state_, a_, actions_, force_);
  force_ -= actions_.tau.head(nv);
  if (plan_.cut_nv() > 0) {
    cut_jacobian(plan_, work_, state_.q, J_);
    force_.noalias() -= J_.transpose() * actions_.tau.tail(plan_.cut_nv());
  }
  force_.noalias() -= reduced_.transpose() * y.segment(reported(), m);
  r.segment(nq, nv) = force_;

  // Prescribed joints are where their laws want them; what is left of the dynamics is the force they need.
  if (!drives_.prescribed().empty()) {
    wanted_ = state_;
    drives_.impose(wanted_);
    for (const int position : drives_.prescribed_positions()) r[position] = state_.q[position] - wanted_.q[position];
    for (const int speed : drives_.prescribed()) {
      actions_.tau[speed] = force_[speed];
      r[nq + speed] = state_.v[speed] - wanted_.v[speed];
    }
  }

  r[nq + nv] = rate[nq + nv] - supplied_power(plan_, work_, state_, actions_);
  r[nq + nv + 1] = rate[nq + nv + 1] - dissipated_power(plan_, work_, state_);

  closure_values(plan_, work_, state_.q, c_);
  for (int i = 0; i < m; ++i) r[reported() + i] = c_[rows_[static_cast<std::size_t>(i)]];
  r.tail(m).noalias() = reduced_ * state_.v;
  return r.allFinite();
}

bool MultiplierDae::start(double t, VectorIn state, VectorOut y, VectorOut rate) {
  const int nq = plan_.nq(), nv = plan_.nv(), m = static_cast<int>(rows_.size());
  y.setZero();
  rate.setZero();
  y.head(reported()) = state;
  place(t, state);
  if (!drives_.evaluate(state_, work_, actions_)) return false;
  drives_.impose_accelerations(t, a_);
  if (!forward_dynamics(plan_, work_, state_, actions_, a_, Formulation::noc, drives_.prescribed())) return false;
  coordinate_rates(plan_, state_.q, state_.v, qdot_);
  rate.head(nq) = qdot_;
  rate.segment(nq, nv) = a_;
  // lambda: what the tree needs beyond the joint forces; rows of prescribed joints carry unknown forces.
  tree_inverse_dynamics(plan_, work_, state_, a_, actions_, force_);
  force_ -= actions_.tau.head(nv);
  if (plan_.cut_nv() > 0) {
    cut_jacobian(plan_, work_, state_.q, J_);
    force_.noalias() -= J_.transpose() * actions_.tau.tail(plan_.cut_nv());
  }
  reduce_closures();
  MatrixX transposed = reduced_.transpose();
  for (const int speed : drives_.prescribed()) {
    transposed.row(speed).setZero();
    force_[speed] = 0.0;
  }
  if (m > 0) y.segment(reported(), m) = transposed.completeOrthogonalDecomposition().solve(force_);
  rate[nq + nv] = supplied_power(plan_, work_, state_, actions_);
  rate[nq + nv + 1] = dissipated_power(plan_, work_, state_);
  return true;
}

}  // namespace lithe::detail
