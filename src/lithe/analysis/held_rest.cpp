#include "lithe/analysis/held_rest.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "lithe/errors.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr int most_descents = 100;
constexpr double longest_descent = 0.3;  ///< rad, or what compares with it
constexpr double near_rest = 1e-2;       ///< likewise; Newton's method does the rest, and needs a force to begin with
constexpr double no_stiffness = 1e-10;   ///< of the largest one

}  // namespace

/// Newton's method with the stiffness K replaced by |K| (same directions, all stiffnesses positive): where forces have
/// a potential every step goes down, so that it ends in a valley, while plain Newton runs up to the nearest pass as
/// well.
std::optional<State> descend_to_rest(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                                     const std::vector<int>& locked) {
  State state = start;
  state.v.setZero();
  if (!select_independent(plan, work, state.q, locked)) return std::nullopt;
  const VectorX still = VectorX::Zero(plan.nv());
  for (int iteration = 0; iteration < most_descents; ++iteration) {
    const Linearization linear = linearize(plan, work, state, still, actions, locked);
    const auto n = std::ssize(linear.speeds);
    if (n == 0) return state;
    VectorX scale(n);
    for (Eigen::Index i = 0; i < n; ++i) scale[i] = plan.speed_scale(linear.speeds[i]);
    const MatrixX K = scale.asDiagonal() * (0.5 * (linear.K + linear.K.transpose())) * scale.asDiagonal();
    const VectorX missing = scale.cwiseProduct(linear.residual);
    const Eigen::SelfAdjointEigenSolver<MatrixX> directions(K);
    const VectorX stiffness = directions.eigenvalues().cwiseAbs();
    const double least = no_stiffness * std::max(stiffness.maxCoeff(), missing.cwiseAbs().maxCoeff());
    VectorX step = directions.eigenvectors().transpose() * missing;
    // Without stiffness a force moves it as far as a step may go.
    for (Eigen::Index i = 0; i < n; ++i)
      if (step[i] != 0.0) step[i] /= -std::max(stiffness[i], least);
    step = directions.eigenvectors() * step;
    const double largest = step.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return std::nullopt;
    if (largest < near_rest) return state;
    VectorX all = VectorX::Zero(plan.nv());
    for (Eigen::Index i = 0; i < n; ++i)
      all[linear.speeds[i]] = std::min(1.0, longest_descent / largest) * scale[i] * step[i];
    move_coordinates(plan, all, state.q);
    if (!project_positions(plan, work, state.q, detail::tolerance::exact_closure)) return std::nullopt;
  }
  return std::nullopt;
}

HeldRest rest_with_motors_held(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                               const std::vector<int>& motors) {
  HeldRest found;
  for (const int v : motors)
    if (v < plan.nv()) found.held.push_back(v);
  if (Status status = select_independent(plan, work, start.q, found.held); !status)
    throw PhysicsError(describe(plan, status, start.t));
  std::vector<int> joints = found.held;  // with which no joint moves
  for (const int v : work.independent())
    if (!plan.is_bending(v) && std::find(joints.begin(), joints.end(), v) == joints.end()) joints.push_back(v);
  const bool motors_hold_alone = found.held.size() == motors.size();
  if (motors_hold_alone && joints.size() > found.held.size()) {
    try {
      if (const auto low = descend_to_rest(plan, work, start, actions, found.held)) {
        found.rest = find_equilibrium(plan, work, *low, actions, found.held);
        return found;
      }
    } catch (const PhysicsError&) {
      // Nothing nearby: the joints stay where they are.
    }
  }
  found.settled = joints.size() == found.held.size();
  found.held = joints;
  found.rest = find_equilibrium(plan, work, start, actions, found.held);
  return found;
}

}  // namespace lithe
