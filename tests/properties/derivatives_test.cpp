// Derivatives of forward and inverse dynamics equal differences of eighth order, whatever the mechanism.

#include "lithe/dynamics/derivatives.hpp"

#include <array>
#include <functional>

#include "properties/subject.hpp"
#include "support/allocation_counter.hpp"

namespace lithe::testing {
namespace {

/// d f / dx at x = 0 from eight values around it; the error is of the order step^8.
VectorX eighth_order(const std::function<VectorX(double)>& f, double step) {
  constexpr std::array weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  VectorX slope;
  for (int i = 0; i < 4; ++i) {
    const VectorX part = weights[i] * (f((i + 1) * step) - f(-(i + 1) * step)) / step;
    slope = i == 0 ? part : VectorX(slope + part);
  }
  return slope;
}

/// The same with a step that half of it confirms. Near a singular pose there may be none, which says nothing about the
/// derivatives.
VectorX difference(const std::function<VectorX(double)>& f, double largest_step) {
  VectorX coarse = eighth_order(f, largest_step);
  for (double step = largest_step / 2; step > largest_step / 40; step /= 2) {
    VectorX fine = eighth_order(f, step);
    if (relative_error(coarse, fine) < 1e-9) return fine;
    coarse = fine;
  }
  RC_DISCARD("no step for differences");
}

/// The state with an independent coordinate moved along, and all that follows from it.
State moved(Subject& subject, int speed, double by) {
  State state = subject.state;
  VectorX step = VectorX::Zero(subject.plan.nv());
  step[speed] = by;
  RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, state.q, step)));
  move_coordinates(subject.plan, step, state.q);
  RC_PRE(bool(project_positions(subject.plan, subject.work, state.q)));
  RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, state.q, state.v)));
  return state;
}

State quickened(Subject& subject, int speed, double by) {
  State state = subject.state;
  state.v[speed] += by;
  RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, state.q, state.v)));
  return state;
}

VectorX accelerations(Subject& subject, const State& state, const Actions& actions) {
  VectorX a;
  RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, state, actions, a)));
  return a;
}

/// Forces on the independent speeds that the motion lacks.
VectorX needed(Subject& subject, const State& state, VectorX a) {
  RC_ASSERT(bool(complete_accelerations(subject.plan, subject.work, state, a)));
  VectorX force;
  missing_force(subject.plan, subject.work, state, a, subject.actions, force);
  MatrixX N;
  RC_ASSERT(bool(loop_complement(subject.plan, subject.work, state.q, N)));
  return N.transpose() * force;
}

constexpr double step = 2e-3;

}  // namespace

LITHE_PROPERTY(ForwardDerivativesEqualDifferences, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX a = accelerations(subject, subject.state, subject.actions);
  const std::vector<int> independent = subject.work.independent();
  std::vector<int> forces(subject.actions.tau.size());
  for (std::size_t j = 0; j < forces.size(); ++j) forces[j] = static_cast<int>(j);
  ForwardDerivatives exact;
  RC_ASSERT(bool(
      forward_derivatives(subject.plan, subject.work, subject.state, subject.actions, a, exact, {.forces = forces})));
  MatrixX by_position(a.size(), independent.size()), by_speed = by_position, by_force(a.size(), forces.size());
  for (std::size_t j = 0; j < independent.size(); ++j) {
    const auto along = static_cast<Eigen::Index>(j);
    by_position.col(along) = difference(
        [&](double x) { return accelerations(subject, moved(subject, independent[j], x), subject.actions); }, step);
    by_speed.col(along) = difference(
        [&](double x) { return accelerations(subject, quickened(subject, independent[j], x), subject.actions); }, 0.1);
  }
  for (std::size_t j = 0; j < forces.size(); ++j)
    by_force.col(static_cast<Eigen::Index>(j)) = difference(
        [&](double x) {
          Actions actions = subject.actions;
          actions.tau[forces[j]] += x;
          return accelerations(subject, subject.state, actions);
        },
        1.0);
  RC_ASSERT(relative_error(exact.by_position, by_position) < 1e-8);
  RC_ASSERT(relative_error(exact.by_speed, by_speed) < 1e-8);
  RC_ASSERT(relative_error(exact.by_force, by_force) < 1e-8);
}

LITHE_PROPERTY(InverseDerivativesEqualDifferences, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  // Any accelerations on the closures.
  VectorX a = random_vector(shape.seed + 11, subject.plan.nv(), 3.0);
  RC_ASSERT(bool(complete_accelerations(subject.plan, subject.work, subject.state, a)));
  const std::vector<int> independent = subject.work.independent();
  InverseDerivatives exact;
  RC_ASSERT(bool(inverse_derivatives(subject.plan, subject.work, subject.state, subject.actions, a, exact)));
  const auto f = std::ssize(independent);
  MatrixX by_position(f, f), by_speed(f, f), by_acceleration(f, f);
  for (Eigen::Index j = 0; j < f; ++j) {
    const int speed = independent[j];
    by_position.col(j) = difference([&](double x) { return needed(subject, moved(subject, speed, x), a); }, step);
    by_speed.col(j) = difference([&](double x) { return needed(subject, quickened(subject, speed, x), a); }, 0.1);
    by_acceleration.col(j) = difference(
        [&](double x) {
          VectorX more = a;
          more[speed] += x;
          return needed(subject, subject.state, more);
        },
        1.0);
  }
  RC_ASSERT(relative_error(exact.by_position, by_position) < 1e-8);
  RC_ASSERT(relative_error(exact.by_speed, by_speed) < 1e-8);
  RC_ASSERT(relative_error(exact.by_acceleration, by_acceleration) < 1e-8);
}

LITHE_PROPERTY(DerivativesKeepPrescribedAccelerations, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed() && !subject.work.independent().empty());
  const int held = subject.work.independent().front();
  const std::vector<int> prescribed = {held};
  VectorX a = VectorX::Zero(subject.plan.nv());
  a[held] = 2.0;
  const auto forward = [&](const State& state) {
    VectorX b = VectorX::Zero(subject.plan.nv());
    b[held] = 2.0;
    RC_ASSERT(
        bool(forward_dynamics(subject.plan, subject.work, state, subject.actions, b, {.prescribed = prescribed})));
    return b;
  };
  a = forward(subject.state);
  ForwardDerivatives exact;
  RC_ASSERT(bool(forward_derivatives(subject.plan, subject.work, subject.state, subject.actions, a, exact,
                                     {.prescribed = prescribed})));
  const std::vector<int> independent = subject.work.independent();
  MatrixX by_position(a.size(), independent.size());
  for (std::size_t j = 0; j < independent.size(); ++j)
    by_position.col(static_cast<Eigen::Index>(j)) =
        difference([&](double x) { return forward(moved(subject, independent[j], x)); }, step);
  RC_ASSERT(relative_error(exact.by_position, by_position) < 1e-8);
}

LITHE_PROPERTY(DerivativesDoNotAllocate, any_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const VectorX a = accelerations(subject, subject.state, subject.actions);
  const std::vector<int> forces = {0};
  ForwardDerivatives exact;
  const auto derive = [&] {
    return bool(
        forward_derivatives(subject.plan, subject.work, subject.state, subject.actions, a, exact, {.forces = forces}));
  };
  RC_ASSERT(derive());
  const long before = allocation_count();
  const bool again = derive();
  const long allocations = allocation_count() - before;
  RC_ASSERT(again);
  RC_ASSERT(allocations == 0);
}

}  // namespace lithe::testing
