#include "lithe/simulation/real_time.hpp"

#include <cmath>
#include <numbers>

#include "lithe/dynamics/passive_matrices.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe {
namespace {

constexpr double widest_correction = 1.0;  ///< rad, characteristic lengths: a loop that needs more does not close

double implicit_part(RealTimeMethod method) {
  switch (method) {
    case RealTimeMethod::damped:
      return 1.0 - 0.5 * std::numbers::sqrt2;
    case RealTimeMethod::trapezoidal:
      return 0.5;
    case RealTimeMethod::euler:
      return 1.0;
  }
  return 1.0;
}

/// One Newton step of the dependent coordinates, written into `step`.
template <class S>
Status loop_correction(detail::Kernel<S>& k, const VectorX& q, VectorX& step) {
  update_positions(k, q);
  if (const Status status = update_complement(k); !status) return status;
  if (k.crosses) return {Status::Code::singular_closure, 0, 1.0 / k.weakness};
  VectorX& x = k.scratch_c;
  for (int i = 0; i < k.dependents(); ++i) x[i] = -k.c[k.selection.rows[i]];
  solve_dependent(k, x.data());
  step.setZero();
  for (int i = 0; i < k.dependents(); ++i) {
    const int v = k.selection.dependent[i];
    step[v] = x[i];
    if (!(std::abs(x[i]) <= widest_correction * k.compiled.speed_scale[v]))
      return {Status::Code::not_assembled, closure_of_row(k, k.selection.rows[i]), std::abs(k.c[k.selection.rows[i]])};
  }
  return {};
}

}  // namespace

std::string_view name_of(RealTimeMethod method) {
  constexpr std::string_view names[] = {"damped", "trapezoidal", "euler"};
  return names[static_cast<int>(method)];
}

RealTimeStepper::RealTimeStepper(const Plan& plan, Workspace& work, const State& state, const RealTimeOptions& options)
    : plan_(plan),
      options_(options),
      implicit_(implicit_part(options.method) * options.step),
      independent_(work.independent()),
      stage_(state),
      a_(VectorX::Zero(plan.nv())),
      step_(VectorX::Zero(plan.nv())) {
  if (!(options.step > 0.0 && std::isfinite(options.step)))
    throw MechanismError("step", "a fixed step must be a positive number of seconds");
  if (options.corrections < 1)
    throw MechanismError("corrections", "the loops need at least one correction in each step");
  if (plan.has_stress_stiffening())
    throw MechanismError("stiffening",
                         "steps with bounded work cannot iterate the forces of stiffening 'stress'; use 'on'");
  const auto count = std::ssize(independent_);
  for (Rates* rates : {&first_, &second_, &move_}) rates->x = rates->v = VectorX::Zero(count);
  force_ = first_.x;
  if (const Status status = renew(work, state); !status) throw PhysicsError(describe(plan, status, state.t));
}

Status RealTimeStepper::renew(Workspace& work, const State& state) {
  MatrixX N;
  if (const Status status = loop_complement(plan_, work, state.q, N); !status) return status;
  stiffness_ = damping_ = MatrixX::Zero(N.cols(), N.cols());
  detail::add_passive_matrices(plan_, work, state.q, N, stiffness_, damping_);
  return {};
}

Status RealTimeStepper::step(Workspace& work, State& state, const Actions& actions) {
  const double h = options_.step;
  if (Status status = rates(work, state, actions, first_); !status) return status;
  if (Status status = prepare(work, state); !status) return status;
  solve(first_);
  move_ = first_;
  if (options_.method != RealTimeMethod::euler) {
    if (Status status = second_stage(work, state, actions); !status) return status;
    move_.x = 1.5 * first_.x + 0.5 * second_.x;
    move_.v = 1.5 * first_.v + 0.5 * second_.v;
  }
  if (Status status = place(work, state); !status) return status;
  state.q = stage_.q;
  state.v = stage_.v;
  state.t += h;
  return {};
}

Status RealTimeStepper::second_stage(Workspace& work, const State& state, const Actions& actions) {
  if (Status status = place(work, state); !status) return status;
  if (Status status = rates(work, stage_, actions, second_); !status) return status;
  second_.x -= 2.0 * first_.x;
  second_.v -= 2.0 * first_.v;
  solve(second_);
  return {};
}

Status RealTimeStepper::rates(Workspace& work, const State& state, const Actions& actions, Rates& rates) {
  ++evaluations_;
  if (Status status = forward_dynamics(plan_, work, state, actions, a_); !status) return status;
  for (std::size_t i = 0; i < independent_.size(); ++i) {
    rates.x[i] = state.v[independent_[i]];
    rates.v[i] = a_[independent_[i]];
  }
  if (!rates.v.allFinite() || !rates.x.allFinite()) return {Status::Code::not_finite, -1, 0.0};
  return {};
}

// The inertia is that of the start of the step; stiffness and damping may be older.
Status RealTimeStepper::prepare(Workspace& work, const State& state) {
  if (Status status = generalised_inertia(plan_, work, state.q, inertia_); !status) return status;
  detail::with_kernel(work, [&](auto& k) { slope_ = k.K; });
  system_ = inertia_ + implicit_ * damping_ + (implicit_ * implicit_) * stiffness_;
  factor_.compute(system_);
  if (factor_.info() != Eigen::Success) return {Status::Code::singular_inertia, 0, 0.0};
  return {};
}

// With G v' = ... - K x - D v:  (G + c D + c^2 K) k_v = G r_v - c K r_x,  k_x = r_x + c k_v,  c = gamma h.
void RealTimeStepper::solve(Rates& rates) {
  force_.noalias() = inertia_ * rates.v;
  force_.noalias() -= implicit_ * (stiffness_ * rates.x);
  factor_.solveInPlace(force_);
  rates.v = force_;
  rates.x += implicit_ * force_;
}

Status RealTimeStepper::place(Workspace& work, const State& state) {
  const double h = options_.step;
  step_.setZero();
  for (std::size_t i = 0; i < independent_.size(); ++i) step_[independent_[i]] = h * move_.x[i];
  stage_.t = state.t + h;
  stage_.q = state.q;
  for (std::size_t i = 0; i < independent_.size(); ++i)
    stage_.v[independent_[i]] = state.v[independent_[i]] + h * move_.v[i];
  detail::with_kernel(work, [&](auto& k) { complete_dependent(k, slope_, step_, step_); });
  add_step(plan_.compiled(), step_, stage_.q);
  if (!stage_.q.allFinite() || !stage_.v.allFinite()) return {Status::Code::not_finite, -1, 0.0};
  if (plan_.closure_count() > 0)
    if (Status status = correct_loops(work); !status) return status;
  normalise_quaternions(plan_, stage_.q);
  return complete_speeds(plan_, work, stage_.q, stage_.v);
}

Status RealTimeStepper::correct_loops(Workspace& work) {
  for (int i = 0; i < options_.corrections; ++i) {
    const Status status = detail::with_kernel(work, [&](auto& k) { return loop_correction(k, stage_.q, step_); });
    if (!status) return status;
    add_step(plan_.compiled(), step_, stage_.q);
  }
  return {};
}

}  // namespace lithe
