#include "lithe/analysis/statics.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/kinematics/physics_error.hpp"

namespace lithe {

namespace {

constexpr int most_iterations = 60;
constexpr double force_tolerance = 1e-11;  ///< of the largest force that acts
constexpr double longest_step = 0.3;       ///< rad
constexpr double step_rounding = 1e-14;    ///< rad

}  // namespace

Equilibrium find_equilibrium(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                             const std::vector<int>& locked) {
  Equilibrium rest;
  rest.state = start;
  rest.state.v.setZero();
  if (Status status = select_independent(plan, work, start.q, locked); !status)
    throw PhysicsError(describe(plan, status, start.t));
  const VectorX still = VectorX::Zero(plan.nv());
  const auto physical = [&](const Linearisation& linear, const VectorX& force) {
    VectorX scaled = force;
    for (Eigen::Index i = 0; i < scaled.size(); ++i)
      scaled[i] *= plan.speed_scale(linear.speeds[static_cast<std::size_t>(i)]);
    return scaled.size() > 0 ? scaled.cwiseAbs().maxCoeff() : 0.0;
  };
  double weight = 1e-300;  // largest generalised force that acts, scaled to a moment
  for (rest.iterations = 0;; ++rest.iterations) {
    rest.linear = linearize(plan, work, rest.state, still, actions, locked);
    rest.residual = physical(rest.linear, rest.linear.residual);
    weight = std::max(weight, rest.residual);
    if (rest.linear.speeds.empty() || rest.residual <= force_tolerance * weight) break;
    const Eigen::FullPivLU<MatrixX> solver(rest.linear.K);
    if (!solver.isInvertible())
      throw PhysicsError(
          fmt::format("no equilibrium can be found: the mechanism moves without resistance with its "
                      "motors locked (rank {} of {}); add springs, lock more joints or load it",
                      solver.rank(), rest.linear.K.rows()));
    const VectorX step = solver.solve(-rest.linear.residual);
    double largest = 0.0;  // in radians, or what compares with them
    for (Eigen::Index i = 0; i < step.size(); ++i)
      largest =
          std::max(largest, std::abs(step[i]) / plan.speed_scale(rest.linear.speeds[static_cast<std::size_t>(i)]));
    // A start at rest has no other force to compare with: there the step itself is rounding.
    if (largest <= step_rounding) break;
    const double fraction = std::min(1.0, longest_step / largest);
    // Rounding ends the iteration when a full step no longer helps.
    if (rest.iterations >= 8 && rest.residual < 1e-7 * weight && fraction == 1.0) break;
    if (rest.iterations == most_iterations)
      throw PhysicsError(
          fmt::format("no equilibrium found near the initial pose after {} iterations (a force of {:.3g} "
                      "remains); start from a pose closer to rest or add damping and simulate",
                      most_iterations, rest.residual));
    VectorX all = VectorX::Zero(plan.nv());
    for (Eigen::Index i = 0; i < step.size(); ++i)
      all[rest.linear.speeds[static_cast<std::size_t>(i)]] = fraction * step[i];
    move_coordinates(plan, all, rest.state.q);
    if (Status status = project_positions(plan, work, rest.state.q, 1e-13); !status)
      throw PhysicsError(describe(plan, status, start.t));
  }
  InverseResult held;
  inverse_dynamics(plan, work, rest.state, still, actions, locked, held);
  rest.tau = held.tau;
  if (rest.linear.K.size() > 0) {
    const MatrixX K = 0.5 * (rest.linear.K + rest.linear.K.transpose());
    const VectorX stiffness = Eigen::SelfAdjointEigenSolver<MatrixX>(K, Eigen::EigenvaluesOnly).eigenvalues();
    rest.stable = stiffness[0] > -1e-9 * stiffness.cwiseAbs().maxCoeff();
  }
  return rest;
}

MatrixX frame_compliance(const Plan& plan, Workspace& work, const Equilibrium& rest, FrameRef frame) {
  MatrixX J, N;
  frame_jacobian(plan, work, rest.state.q, frame, J);
  if (Status status = loop_complement(plan, work, rest.state.q, N); !status)
    throw PhysicsError(describe(plan, status, rest.state.t));
  MatrixX columns(6, static_cast<Eigen::Index>(rest.linear.speeds.size()));
  const std::vector<int>& independent = work.independent();
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < independent.size(); ++i)
    if (next < columns.cols() && rest.linear.speeds[static_cast<std::size_t>(next)] == independent[i])
      columns.col(next++) = J * N.col(static_cast<Eigen::Index>(i));
  return columns * rest.linear.K.fullPivLu().solve(columns.transpose());
}

}  // namespace lithe
