#include "lithe/simulation/equations.hpp"

#include "lithe/dynamics/stress.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

Equations::Equations(const RunOptions& options, const Plan& plan, Workspace& work, DriveSet& drives)
    : options_(options),
      plan_(plan),
      work_(work),
      drives_(drives),
      minimal_(facts_of(options.formulation).is_minimal),
      projection_(facts_of(options.formulation).is_projected ? options.projection : Projection::never),
      actions_(plan),
      a_(VectorX::Zero(plan.nv())),
      qdot_(plan.nq()) {
  state_.q = plan.neutral();
  state_.v = VectorX::Zero(plan.nv());
}

OdeSystem Equations::system() {
  OdeSystem system;
  system.size = size();
  system.controlled = system.size - 2;
  system.coordinates = plan_.nq();
  system.rate = [this](double t, VectorIn y, VectorOut result) { return rate(t, y, result); };
  if (projects()) {
    system.project = [this](double t, VectorOut y) {
      const Exchange sums = exchange(y);
      if (!unpack(t, y, true, state_)) return false;
      pack(state_, sums, y);
      return true;
    };
    system.project_changes_rate = projection_ == Projection::step;
  }
  return system;
}

void Equations::pack(const State& state, const Exchange& exchange, VectorOut y) const {
  y.head(plan_.nq()) = state.q;
  if (minimal_) {
    for (std::size_t i = 0; i < work_.independent().size(); ++i) {
      y[plan_.nq() + static_cast<int>(i)] = state.v[work_.independent()[i]];
    }
  } else {
    y.segment(plan_.nq(), plan_.nv()) = state.v;
  }
  y[y.size() - 2] = exchange.work;
  y[y.size() - 1] = exchange.dissipated;
}

bool Equations::unpack(double t, VectorIn y, bool project, State& state) {
  state.t = t;
  state.q = y.head(plan_.nq());
  if (minimal_) {
    for (std::size_t i = 0; i < work_.independent().size(); ++i) {
      state.v[work_.independent()[i]] = y[plan_.nq() + static_cast<int>(i)];
    }
  } else {
    state.v = y.segment(plan_.nq(), plan_.nv());
  }
  return settle(state, project);
}

bool Equations::settle(State& state, bool project) {
  const Stopwatch watch(dynamics_seconds);
  const double t = state.t;
  drives_.impose(state);
  normalise_quaternions(plan_, state.q);
  if (!state.q.allFinite() || !state.v.allFinite()) return succeed({Status::Code::not_finite, -1, 0.0}, t);
  if (project && plan_.closure_count() > 0) {
    ++projections;
    if (!succeed(project_positions(plan_, work_, state.q), t)) return false;
  }
  // Minimal speeds mean nothing before they are completed; redundant ones are put right only by projection.
  if (minimal_ || project) return succeed(complete_speeds(plan_, work_, state.q, state.v), t);
  return true;
}

bool Equations::drive(const State& state) {
  const Stopwatch watch(drive_seconds);
  if (!drives_.evaluate(state, work_, actions_)) {
    failure_ = drives_.failure();
    return false;
  }
  drives_.impose_accelerations(state.t, a_);
  return true;
}

bool Equations::evaluate_forces(const State& state) {
  // The forces of stress stiffening come with the accelerations that they cause.
  if (plan_.has_stress_stiffening()) return evaluate(state);
  if (!drive(state)) return false;
  const Stopwatch watch(dynamics_seconds);
  if (!succeed(complete_accelerations(plan_, work_, state, a_), state.t)) return false;
  if (drives_.prescribed().empty()) return true;
  return succeed(recover_forces(plan_, work_, state, a_, drives_.prescribed(), actions_), state.t);
}

bool Equations::evaluate(const State& state) {
  if (!drive(state)) return false;
  const Stopwatch watch(dynamics_seconds);
  // The forces of stress stiffening stay in the actions: their power is part of the work.
  const ForwardOptions options{options_.formulation, drives_.prescribed(), options_.stabilisation};
  if (!succeed(stressed_forward_dynamics(plan_, work_, state, actions_, a_, options), state.t)) return false;
  if (drives_.prescribed().empty()) return true;
  return succeed(recover_forces(plan_, work_, state, a_, drives_.prescribed(), actions_), state.t);
}

bool Equations::rate(double t, VectorIn y, VectorOut rate) {
  if (!unpack(t, y, projection_ == Projection::evaluation, state_) || !evaluate(state_)) return false;
  const Stopwatch watch(dynamics_seconds);
  coordinate_rates(plan_, state_.q, state_.v, qdot_);
  rate.head(plan_.nq()) = qdot_;
  if (minimal_) {
    for (std::size_t i = 0; i < work_.independent().size(); ++i) {
      rate[plan_.nq() + static_cast<int>(i)] = a_[work_.independent()[i]];
    }
  } else {
    rate.segment(plan_.nq(), plan_.nv()) = a_;
  }
  rate[rate.size() - 2] = supplied_power(plan_, work_, state_, actions_);
  rate[rate.size() - 1] = dissipated_power(plan_, work_, state_);
  if (rate.allFinite()) return true;
  return succeed({Status::Code::not_finite, -1, 0.0}, t);
}

bool Equations::succeed(const Status& status, double t) {
  if (status) return true;
  failure_ = describe(plan_, status, t);
  return false;
}

}  // namespace lithe::detail
