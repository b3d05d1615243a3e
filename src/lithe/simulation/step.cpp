#include "lithe/simulation/step.hpp"

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe {

Stepper::Stepper(const Plan& plan) : plan_(plan), mean_qdot_(plan.nq()), mean_a_(plan.nv()) {
  for (int k = 0; k < 4; ++k) {
    qdot_[k].resize(plan.nq());
    a_[k] = VectorX::Zero(plan.nv());
  }
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
  constexpr double reach[4] = {0.0, 0.5, 0.5, 1.0};
  stage_ = state;
  for (int k = 0; k < 4; ++k) {
    if (k > 0) {
      if (const Status status = place(work, state, reach[k] * h, qdot_[k - 1], a_[k - 1]); !status) return status;
    }
    if (const Status status = rates(work, actions, qdot_[k], a_[k]); !status) return status;
  }
  mean_qdot_ = (qdot_[0] + 2.0 * (qdot_[1] + qdot_[2]) + qdot_[3]) / 6.0;
  mean_a_ = (a_[0] + 2.0 * (a_[1] + a_[2]) + a_[3]) / 6.0;
  if (const Status status = place(work, state, h, mean_qdot_, mean_a_); !status) return status;
  state.q = stage_.q;
  state.v = stage_.v;
  return {};
}

Status Stepper::place(Workspace& work, const State& state, double h, const VectorX& qdot, const VectorX& a) {
  stage_.t = state.t + h;
  stage_.q = state.q + h * qdot;
  stage_.v = state.v + h * a;
  normalise_quaternions(plan_, stage_.q);
  if (!stage_.q.allFinite() || !stage_.v.allFinite()) return {Status::Code::not_finite, -1, 0.0};
  if (plan_.closure_count() > 0) {
    if (const Status status = project_positions(plan_, work, stage_.q); !status) return status;
  }
  return complete_speeds(plan_, work, stage_.q, stage_.v);
}

Status Stepper::rates(Workspace& work, const Actions& actions, VectorX& qdot, VectorX& a) {
  coordinate_rates(plan_, stage_.q, stage_.v, qdot);
  return forward_dynamics(plan_, work, stage_, actions, a);
}

}  // namespace lithe
