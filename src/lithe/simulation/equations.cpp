#include "lithe/simulation/equations.hpp"

#include "lithe/dynamics/elements.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/simulation/continuous_control.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

Equations::Equations(const RunOptions& options, const Plan& plan, Workspace& work, DriveSet& drives)
    : plan_(plan),
      work_(work),
      drives_(drives),
      minimal_(facts_of(options.formulation).is_minimal),
      projection_(facts_of(options.formulation).is_projected ? options.projection : Projection::never),
      element_states_(static_cast<int>(element_start(plan).size())),
      controller_states_(drives.continuous() == nullptr ? 0 : drives.continuous()->states()),
      forward_{options.formulation, drives.prescribed(), options.stabilisation},
      holds_(plan, work, forward_),
      actions_(plan),
      acting_(plan),
      a_(VectorX::Zero(plan.nv())),
      qdot_(plan.nq()),
      jacobian_(plan) {
  state_.q = plan.neutral();
  state_.v = VectorX::Zero(plan.nv());
  state_.x = VectorX::Zero(states());
}

OdeSystem Equations::system() {
  OdeSystem system;
  system.size = size();
  system.controlled = system.size - 2;
  system.coordinates = plan_.nq();
  system.rate = [this](double t, VectorIn y, VectorOut result) { return rate(t, y, result); };
  if (has_jacobian())
    system.jacobian = [this](double t, VectorIn y, MatrixOut columns) { return jacobian(t, y, columns); };
  if (projects()) {
    system.project = [this](double t, VectorOut y) {
      const Exchange sums = exchange(y);
      RunStatus placed = unpack(t, y, true, state_);
      if (placed) pack(state_, sums, y);
      return placed;
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
  if (states() > 0) y.segment(y.size() - 2 - states(), states()) = state.x;
  y[y.size() - 2] = exchange.work;
  y[y.size() - 1] = exchange.dissipated;
}

RunStatus Equations::unpack(double t, VectorIn y, bool project, State& state) {
  state.t = t;
  state.q = y.head(plan_.nq());
  if (minimal_) {
    for (std::size_t i = 0; i < work_.independent().size(); ++i) {
      state.v[work_.independent()[i]] = y[plan_.nq() + static_cast<int>(i)];
    }
  } else {
    state.v = y.segment(plan_.nq(), plan_.nv());
  }
  if (states() > 0) state.x = y.segment(y.size() - 2 - states(), states());
  return settle(state, project);
}

// The stages of a step leave the closures by the square of the step. The nearest state on them, measured by the inertia, has light links bent for
// that, and their stiffness makes forces of it: the rates are then less smooth than the motion. After a whole step there is next to nothing to bend.
ForwardOptions Equations::keeping_independent() const { return {Formulation::noc, forward_.prescribed, {}}; }

RunStatus Equations::settle(State& state, bool project) {
  const SamplingStopwatch watch(time_.settling);
  if (RunStatus imposed = drives_.impose(state); !imposed) return imposed;
  normalise_quaternions(plan_, state.q);
  Status status;
  if (!state.q.allFinite() || !state.v.allFinite()) status.code = Status::Code::not_finite;
  if (status && project && plan_.closure_count() > 0) {
    ++projections;
    status = project_state(plan_, work_, state, projection_ == Projection::step ? forward_ : keeping_independent());
  } else if (status && (minimal_ || project)) {
    // Minimal speeds mean nothing before they are completed; redundant ones are put right only by projection.
    status = complete_speeds(plan_, work_, state.q, state.v);
  }
  return {plan_, status, state.t};
}

RunStatus Equations::drive(const State& state) {
  const SamplingStopwatch watch(time_.drives);
  RunStatus driven = drives_.evaluate(state, work_, actions_);
  if (driven) drives_.impose_accelerations(state.t, a_);
  return driven;
}

RunStatus Equations::evaluate_forces(const State& state) {
  // The forces of stress stiffening come with the accelerations that they cause.
  if (plan_.has_stress_stiffening() || !holds_.empty()) return evaluate(state);
  if (RunStatus driven = drive(state); !driven) return driven;
  const SamplingStopwatch watch(time_.forces);
  Status status = complete_accelerations(plan_, work_, state, a_);
  if (status && !drives_.prescribed().empty())
    status = recover_forces(plan_, work_, state, a_, drives_.prescribed(), actions_);
  return {plan_, status, state.t};
}

RunStatus Equations::evaluate(const State& state) {
  if (RunStatus driven = drive(state); !driven) return driven;
  const SamplingStopwatch watch(time_.accelerations);
  if (!holds_.empty()) {
    Status status = holds_.forward(state, actions_, acting_, a_);
    for (int v = 0; v < plan_.nv() && plan_.has_stress_stiffening(); ++v)
      if (plan_.is_bending(v)) actions_.tau[v] = acting_.tau[v];
    if (status && !drives_.prescribed().empty()) {
      // What a law needs, the friction of its joint included.
      status = recover_forces(plan_, work_, state, a_, drives_.prescribed(), acting_);
      for (const int speed : drives_.prescribed()) {
        actions_.tau[speed] = acting_.tau[speed] - holds_.forces()[speed];
      }
    }
    return {plan_, status, state.t};
  }
  // The forces of stress stiffening stay in the actions: their power is part of the work.
  Status status = stressed_forward_dynamics(plan_, work_, state, actions_, a_, forward_);
  if (status && !drives_.prescribed().empty())
    status = recover_forces(plan_, work_, state, a_, drives_.prescribed(), actions_);
  return {plan_, status, state.t};
}

double Equations::dynamics_seconds() const {
  double sum = 0.0;
  for (const TimeTaken* part : {&time_.settling, &time_.forces, &time_.accelerations, &time_.rates, &time_.jacobian})
    sum += part->seconds();
  return sum;
}

double Equations::supplied(const State& state) { return supplied_power(plan_, work_, state, actions_); }

double Equations::dissipated(const State& state) {
  const double lost = dissipated_power(plan_, work_, state);
  return holds_.empty() ? lost : lost - holds_.power(state);
}

RunStatus Equations::rate(double t, VectorIn y, VectorOut rate) {
  RunStatus evaluated = unpack(t, y, projection_ == Projection::evaluation, state_);
  state_.t = drives_.law_time(t);  // laws in machine elements
  if (evaluated) evaluated = evaluate(state_);
  if (!evaluated) return evaluated;
  const SamplingStopwatch watch(time_.rates);
  coordinate_rates(plan_, state_.q, state_.v, qdot_);
  rate.head(plan_.nq()) = qdot_;
  if (minimal_) {
    for (std::size_t i = 0; i < work_.independent().size(); ++i) {
      rate[plan_.nq() + static_cast<int>(i)] = a_[work_.independent()[i]];
    }
  } else {
    rate.segment(plan_.nq(), plan_.nv()) = a_;
  }
  if (element_states_ > 0)
    rate.segment(rate.size() - 2 - states(), element_states_) = element_activity(plan_, work_, state_).rates;
  if (controller_states_ > 0)
    if (RunStatus known = drives_.continuous()->rates(
            state_, a_, acting(), rate.segment(rate.size() - 2 - controller_states_, controller_states_));
        !known)
      return known;
  rate[rate.size() - 2] = supplied(state_);
  rate[rate.size() - 1] = dissipated(state_);
  return {plan_, {rate.allFinite() ? Status::Code::ok : Status::Code::not_finite}, t};
}

}  // namespace lithe::detail
