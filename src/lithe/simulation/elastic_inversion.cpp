#include "lithe/simulation/elastic_inversion.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "lithe/simulation/drive_set.hpp"
#include "lithe/spatial/differences.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr int most_iterations = 30;
constexpr double rest_tolerance = 1e-12;  ///< last step towards rest, of the amplitude it ends at

}  // namespace

ElasticInversion::ElasticInversion(const Model& model, const Plan& plan, const State& start)
    : model_(model), plan_(plan), nominal_(model, plan, Arithmetic::automatic, start), actions_(plan) {
  inverse_.tau = VectorX::Zero(plan.nv() + plan.cut_nv());
  for (const ElasticPlace& place : plan.elastic_places()) count_ += place.count;
  int free = 0;
  for (const int v : nominal_.work().independent()) free += plan.is_bending(v) ? 1 : 0;
  if (free != count_)
    throw PhysicsError(
        fmt::format("flexible inverse dynamics: only {} of {} elastic coordinates are free to move once the laws are "
                    "followed; give laws for fewer joints or take more modes",
                    free, count_));
}

RunStatus ElasticInversion::residual(double t, const ElasticMotion& motion, VectorX& missing) {
  ++evaluations;
  nominal_.bend(motion.eta, motion.rate, motion.acceleration);
  if (RunStatus moved = nominal_.move_to(t); !moved) return moved;
  evaluate_loads(model_, t, actions_);
  inverse_dynamics(plan_, nominal_.work(), nominal_.state(), nominal_.accelerations(), actions_,
                   plan_.actuated_speeds(), inverse_);
  if (inverse_.status) {
    actions_.tau = inverse_.tau;
    missing = inverse_.elastic_missing;
  }
  return {plan_, inverse_.status, t};
}

// What is missing on all independent speeds, [r_j; r_e], changes by slopes S at constant forces. The motors make up for
// that of the joints, B_j dtau = S_j, and bend links when they are not among the independent speeds: S_e - B_e B_j^-1 S_j.
bool ElasticInversion::linearize_exactly(InternalDynamics& dynamics) {
  if (nominal_.follows_paths()) return false;  // the motors then move with the bending of the links
  const std::vector<int>& motors = plan_.actuated_speeds();
  const auto joints = std::ssize(nominal_.work().independent()) - count_;
  if (inverse_.redundancy > 0 || std::ssize(motors) != joints) return false;
  const State& state = nominal_.state();
  if (!inverse_derivatives(plan_, nominal_.work(), state, actions_, nominal_.accelerations(), slopes_)) return false;
  MatrixX N;
  if (!loop_complement(plan_, nominal_.work(), state.q, N)) return false;
  const MatrixX B = (speed_jacobian(plan_, nominal_.work(), state.q, motors) * N).transpose();
  const MatrixX bends = B.bottomRows(count_);
  MatrixX share = MatrixX::Zero(count_, joints);
  if (joints > 0 && !bends.isZero(0.0)) {
    const Eigen::FullPivLU<MatrixX> driving(MatrixX(B.topRows(joints).transpose()));
    if (!driving.isInvertible()) return false;
    share = driving.solve(MatrixX(bends.transpose())).transpose();
  }
  const auto elastic = [&](const MatrixX& slopes) -> MatrixX {
    return slopes.bottomRightCorner(count_, count_) - share * slopes.topRightCorner(joints, count_);
  };
  dynamics.M = elastic(slopes_.by_acceleration);
  dynamics.D = elastic(slopes_.by_speed);
  dynamics.K = elastic(slopes_.by_position);
  return true;
}

RunStatus ElasticInversion::linearize(double t, const ElasticMotion& motion, InternalDynamics& dynamics) {
  VectorX present;
  RunStatus evaluated = residual(t, motion, present);
  if (!evaluated || linearize_exactly(dynamics)) return evaluated;
  ElasticMotion moved = motion;
  const auto force = [&](VectorX& missing) {
    evaluated = residual(t, moved, missing);
    return static_cast<bool>(evaluated);
  };
  const auto slope = [&](VectorX& varied, double step, MatrixX& slopes) {
    slopes.resize(count_, count_);
    if (evaluated) central_differences(varied, step, force, slopes);
  };
  // The residual is linear in the accelerations, quadratic in the speeds, and smooth in the values.
  const double amplitude = 1e-5 * std::max(1.0, motion.eta.size() > 0 ? motion.eta.cwiseAbs().maxCoeff() : 0.0);
  slope(moved.acceleration, 1.0, dynamics.M);
  slope(moved.rate, 1e-2, dynamics.D);
  slope(moved.eta, amplitude, dynamics.K);
  return evaluated;
}

RunStatus ElasticInversion::rest(double t, VectorX& eta) {
  ElasticMotion still{eta, VectorX::Zero(count_), VectorX::Zero(count_)};
  InternalDynamics dynamics;
  VectorX missing;
  for (int i = 0; i < most_iterations; ++i) {
    RunStatus known = residual(t, still, missing);
    if (known) known = linearize(t, still, dynamics);
    if (!known) return known;
    const VectorX step = dynamics.K.partialPivLu().solve(-missing);
    still.eta += step;
    if (!still.eta.allFinite()) break;
    if (step.norm() <= rest_tolerance * still.eta.norm() || step.norm() < tolerance::smallest) {
      eta = still.eta;
      return {};
    }
  }
  return RunStatus::refused(
      fmt::format("the elastic links find no rest at t = {:.6g} s: loads or accelerations are too large", t));
}

RunStatus ElasticInversion::accelerate(double t, ElasticMotion& motion) {
  motion.acceleration.setZero(count_);
  VectorX missing, column;
  if (RunStatus known = residual(t, motion, missing); !known) return known;
  MatrixX M(count_, count_);
  for (int j = 0; j < count_; ++j) {
    motion.acceleration[j] = 1.0;
    if (RunStatus known = residual(t, motion, column); !known) return known;
    motion.acceleration[j] = 0.0;
    M.col(j) = column - missing;
  }
  motion.acceleration = M.partialPivLu().solve(-missing);
  return residual(t, motion, column);
}

RunStatus ElasticInversion::state_matrix(double t, const VectorX& eta, MatrixX& A) {
  InternalDynamics d;
  const VectorX zero = VectorX::Zero(count_);
  if (RunStatus known = linearize(t, {eta, zero, zero}, d); !known) return known;
  A.setZero(2 * count_, 2 * count_);
  A.topRightCorner(count_, count_).setIdentity();
  const Eigen::PartialPivLU<MatrixX> inertia(d.M);
  A.bottomLeftCorner(count_, count_) = -inertia.solve(d.K);
  A.bottomRightCorner(count_, count_) = -inertia.solve(d.D);
  return {};
}

RunStatus ElasticInversion::instability(double t, const VectorX& eta, double& worst) {
  MatrixX A;
  if (RunStatus known = state_matrix(t, eta, A); !known) return known;
  worst = 0.0;
  const Eigen::VectorXcd poles = Eigen::EigenSolver<MatrixX>(A, false).eigenvalues();
  for (const auto& pole : poles)
    if (std::abs(pole) > 0.0) worst = std::max(worst, pole.real() / std::abs(pole));
  return {};
}

}  // namespace lithe::detail
