#include "reproduce/deviations.hpp"

#include <cmath>

#include "lithe/dynamics/forward.hpp"

namespace lithe::reproduce {
namespace {

constexpr double difference = 1e-5;        // of coordinates and speeds; rounding and truncation both near 1e-10
constexpr double transition_step = 0.005;  // s

}  // namespace

MatrixX frozen_state_matrix(DrivenMotion& motion) {
  const Plan& plan = motion.plan();
  const std::vector<int> independent = motion.work().independent();
  const Actions actions = motion.actions(motion.motor_forces());
  const auto n = static_cast<Eigen::Index>(independent.size());
  const auto accelerations_at = [&](Eigen::Index which, double shift) {
    State state = motion.state();
    VectorX step = VectorX::Zero(plan.nv());
    if (which < n) step[independent[static_cast<std::size_t>(which)]] = shift;
    move_coordinates(plan, step, state.q);
    motion.require(project_positions(plan, motion.work(), state.q));
    if (which >= n) state.v[independent[static_cast<std::size_t>(which - n)]] += shift;
    motion.require(complete_speeds(plan, motion.work(), state.q, state.v));
    VectorX a = VectorX::Zero(plan.nv());
    motion.require(forward_dynamics(plan, motion.work(), state, actions, a));
    VectorX reduced(n);
    for (Eigen::Index k = 0; k < n; ++k) reduced[k] = a[independent[static_cast<std::size_t>(k)]];
    return reduced;
  };
  MatrixX A = MatrixX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    A.block(n, k, n, 1) = (accelerations_at(k, difference) - accelerations_at(k, -difference)) / (2 * difference);
  }
  return A;
}

MatrixX transition(DrivenMotion& motion, double from, double until) {
  const auto at = [&](double t) {
    motion.go_to(t);
    return frozen_state_matrix(motion);
  };
  const int steps = std::max(1, static_cast<int>(std::lround((until - from) / transition_step)));
  const double h = (until - from) / steps;
  MatrixX left = at(from);
  MatrixX X = MatrixX::Identity(left.rows(), left.cols());
  for (int k = 0; k < steps; ++k) {
    const MatrixX middle = at(from + (k + 0.5) * h);
    const MatrixX right = at(from + (k + 1) * h);
    const MatrixX k1 = left * X, k2 = middle * (X + h / 2 * k1), k3 = middle * (X + h / 2 * k2);
    const MatrixX k4 = right * (X + h * k3);
    X += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    left = right;
  }
  return X;
}

}  // namespace lithe::reproduce
