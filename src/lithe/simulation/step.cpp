#include "lithe/simulation/step.hpp"

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/runge_kutta.hpp"

namespace lithe {

Stepper::Stepper(const Plan& plan)
    : plan_(plan), y_(plan.nq() + plan.nv()), qdot_(plan.nq()), a_(VectorX::Zero(plan.nv())) {
  for (VectorX* each : {&k_[0], &k_[1], &k_[2], &k_[3], &argument_, &next_}) each->resize(y_.size());
}

Status Stepper::advance(Workspace& work, State& state, const Actions& actions, double dt, int substeps) {
  const double start = state.t;
  for (int i = 1; i <= substeps; ++i) {
    Status status = substep(work, state, actions, dt / substeps);
    // Perhaps only the independent set is exhausted.
    if (!status && select_independent(plan_, work, state.q)) status = substep(work, state, actions, dt / substeps);
    if (!status) return status;
    state.t = i == substeps ? start + dt : start + dt * i / substeps;
  }
  return {};
}

Status Stepper::substep(Workspace& work, State& state, const Actions& actions, double h) {
  stage_ = state;
  y_ << state.q, state.v;
  Status status = rates(work, actions, k_[0]);
  if (!status) return status;
  runge_kutta_step(classical_rk4, y_, h, k_, argument_, next_, [&](double c, const VectorX& y, VectorX& rate) {
    status = place(work, state.t + c * h, y);
    if (status) status = rates(work, actions, rate);
    return static_cast<bool>(status);
  });
  if (status) status = place(work, state.t + h, next_);
  if (!status) return status;
  state.q = stage_.q;
  state.v = stage_.v;
  return {};
}

Status Stepper::place(Workspace& work, double t, const VectorX& y) {
  stage_.t = t;
  stage_.q = y.head(plan_.nq());
  stage_.v = y.tail(plan_.nv());
  normalise_quaternions(plan_, stage_.q);
  if (!stage_.q.allFinite() || !stage_.v.allFinite()) return {Status::Code::not_finite, -1, 0.0};
  if (plan_.closure_count() > 0) {
    if (const Status status = project_positions(plan_, work, stage_.q); !status) return status;
  }
  return complete_speeds(plan_, work, stage_.q, stage_.v);
}

Status Stepper::rates(Workspace& work, const Actions& actions, VectorX& rate) {
  coordinate_rates(plan_, stage_.q, stage_.v, qdot_);
  const Status status = forward_dynamics(plan_, work, stage_, actions, a_);
  rate << qdot_, a_;
  return status;
}

}  // namespace lithe
