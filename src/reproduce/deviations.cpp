#include "reproduce/deviations.hpp"

#include <array>
#include <cmath>

#include "lithe/analysis/linearize.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/runge_kutta.hpp"

namespace lithe::reproduce {
namespace {

constexpr double transition_step = 0.005;  // s

}  // namespace

MatrixX frozen_state_matrix(DrivenMotion& motion) {
  const Actions actions = motion.actions(motion.motor_forces());
  VectorX a = VectorX::Zero(motion.plan().nv());
  motion.require(forward_dynamics(motion.plan(), motion.work(), motion.state(), actions, a));
  return linearize(motion.plan(), motion.work(), motion.state(), a, actions).state_matrix();
}

MatrixX transition(DrivenMotion& motion, double from, double until) {
  const auto at = [&](double t) {
    motion.go_to(t);
    return frozen_state_matrix(motion);
  };
  const int steps = std::max(1, static_cast<int>(std::lround((until - from) / transition_step)));
  const double h = (until - from) / steps;
  MatrixX left = at(from), middle, right;
  MatrixX X = MatrixX::Identity(left.rows(), left.cols()), argument, next;
  std::array<MatrixX, 4> k;
  for (int i = 0; i < steps; ++i) {
    middle = at(from + (i + 0.5) * h);
    right = at(from + (i + 1) * h);
    k[0] = left * X;
    runge_kutta_step(classical_rk4, X, h, k, argument, next, [&](double c, const MatrixX& x, MatrixX& rate) {
      rate = (c < 1.0 ? middle : right) * x;
      return true;
    });
    X = next;
    left = right;
  }
  return X;
}

}  // namespace lithe::reproduce
