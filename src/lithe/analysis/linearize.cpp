#include "lithe/analysis/linearize.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/passive_matrices.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/differences.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

void require(const Plan& plan, const Status& status, double t) {
  if (!status) throw PhysicsError(describe(plan, status, t));
}

/// Generalised force that is missing for the motion (x, x', x'') of the independent coordinates:
/// N^T (what the tree needs - what acts). The forces of the strain are linear; what they change by is left out and
/// comes in closed form, so that the tolerance of the closures is not multiplied by the stiffness of stretching.
class MissingForce {
 public:
  MissingForce(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
               const StateForces& feedback)
      : plan_(plan), work_(work), state_(state), a_(a), actions_(actions), held_(actions.tau), feedback_(feedback) {}

  /// At the state moved by `position` and `speed` in one independent coordinate.
  VectorX at(int speed, double position_step, double speed_step) {
    if (plan_.nv() == 0) return VectorX(0);  // nothing can move
    State there = state_;
    VectorX step = VectorX::Zero(plan_.nv());
    step[speed] = position_step;
    move_coordinates(plan_, step, there.q);
    require(plan_, project_positions(plan_, work_, there.q, detail::tolerance::exact_closure), there.t);
    there.v[speed] += speed_step;
    require(plan_, complete_speeds(plan_, work_, there.q, there.v), there.t);
    VectorX a = a_;
    require(plan_, complete_accelerations(plan_, work_, there, a), there.t);
    if (feedback_) {
      actions_.tau = held_;
      feedback_(there, work_, actions_.tau);
    }
    missing_force(plan_, work_, there, a, actions_, force_);
    for (std::size_t link = 0; link < plan_.elastic_places().size(); ++link) {
      const ElasticPlace& place = plan_.elastic_places()[link];
      if (place.count > 0)
        force_.segment(place.v, place.count) -=
            plan_.mechanism().links[link].elastic.stiffness * (there.q - state_.q).segment(place.q, place.count);
    }
    if (plan_.has_stress_stiffening()) {
      stress_.setZero(plan_.nv());
      stress_forces(plan_, work_, there, a, actions_, stress_);
      force_ -= stress_;
    }
    require(plan_, loop_complement(plan_, work_, there.q, N_), there.t);
    return N_.transpose() * force_;
  }

 private:
  const Plan& plan_;
  Workspace& work_;
  const State& state_;
  const VectorX& a_;
  Actions actions_;
  const VectorX held_;  ///< joint forces without the feedback
  const StateForces& feedback_;
  VectorX force_, stress_;
  MatrixX N_;
};

}  // namespace

Linearization linearize(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                        const std::vector<int>& locked, const StateForces& feedback) {
  Linearization linear;
  const std::vector<int> independent = work.independent();
  std::vector<Eigen::Index> kept;  // rows and columns of the full matrices
  for (std::size_t i = 0; i < independent.size(); ++i) {
    if (std::find(locked.begin(), locked.end(), independent[i]) != locked.end()) continue;
    kept.push_back(static_cast<Eigen::Index>(i));
    linear.speeds.push_back(independent[i]);
    linear.names.push_back(plan.speed_name(independent[i]));
  }
  const auto n = static_cast<Eigen::Index>(kept.size());
  linear.K.resize(n, n);
  linear.D.resize(n, n);
  MissingForce missing(plan, work, state, a, actions, feedback);
  const auto reduced = [&](const VectorX& full) {
    VectorX part(n);
    for (Eigen::Index i = 0; i < n; ++i) part[i] = full[kept[i]];
    return part;
  };
  MatrixX G, N;
  require(plan, loop_complement(plan, work, state.q, N), state.t);
  MatrixX strain = MatrixX::Zero(N.cols(), N.cols());
  detail::add_strain_stiffness(plan, N, strain);
  // Rates are seen through a quadratic; positions through sines and the shapes of links.
  for (Eigen::Index j = 0; j < n; ++j) {
    const int speed = linear.speeds[j];
    const double scale = plan.speed_scale(speed);
    linear.K.col(j) = reduced(strain.col(kept[j]) + detail::five_point_slope(1e-3 * scale, [&](double h) {
                                return missing.at(speed, h, 0.0);
                              }));
    linear.D.col(j) =
        reduced(detail::five_point_slope(1e-2 * scale, [&](double h) { return missing.at(speed, 0.0, h); }));
  }
  linear.residual = reduced(missing.at(linear.speeds.empty() ? 0 : linear.speeds[0], 0.0, 0.0));
  require(plan, generalised_inertia(plan, work, state.q, G), state.t);
  linear.M.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) linear.M(i, j) = G(kept[i], kept[j]);
  linear.actuators = plan.actuated_speeds();
  std::erase_if(linear.actuators, [&](int v) { return std::find(locked.begin(), locked.end(), v) != locked.end(); });
  linear.B.resize(n, static_cast<Eigen::Index>(linear.actuators.size()));
  const MatrixX along = (speed_jacobian(plan, work, state.q, linear.actuators) * N).transpose();
  for (Eigen::Index i = 0; i < linear.B.cols(); ++i) linear.B.col(i) = reduced(along.col(i));
  return linear;
}

MatrixX Linearization::state_matrix() const {
  const Eigen::Index n = M.rows();
  const Eigen::LDLT<MatrixX> inertia(M);
  MatrixX A = MatrixX::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -inertia.solve(K);
  A.bottomRightCorner(n, n) = -inertia.solve(D);
  return A;
}

MatrixX Linearization::input_matrix() const {
  MatrixX E = MatrixX::Zero(2 * M.rows(), B.cols());
  E.bottomRows(M.rows()) = M.ldlt().solve(B);
  return E;
}

NaturalModes natural_modes(const Plan& plan, Workspace& work, const VectorX& q, const Linearization& linear) {
  NaturalModes modes;
  const Eigen::Index n = linear.M.rows();
  if (n == 0) return modes;
  const MatrixX K = 0.5 * (linear.K + linear.K.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, linear.M);
  modes.frequencies = solver.eigenvalues().unaryExpr(
      [](double square) { return std::copysign(std::sqrt(std::abs(square)), square) / (2 * std::numbers::pi); });
  modes.shapes = solver.eigenvectors();
  for (Eigen::Index j = 0; j < n; ++j) {
    Eigen::Index largest = 0;
    VectorX scaled = modes.shapes.col(j);
    for (Eigen::Index i = 0; i < n; ++i) scaled[i] /= plan.speed_scale(linear.speeds[i]);
    scaled.cwiseAbs().maxCoeff(&largest);
    if (scaled[largest] < 0) modes.shapes.col(j) *= -1.0;
  }
  modes.speeds.setZero(plan.nv(), n);
  for (Eigen::Index j = 0; j < n; ++j) {
    VectorX v = VectorX::Zero(plan.nv());
    for (Eigen::Index i = 0; i < n; ++i) v[linear.speeds[i]] = modes.shapes(i, j);
    require(plan, complete_speeds(plan, work, q, v), 0.0);
    modes.speeds.col(j) = v;
  }
  return modes;
}

}  // namespace lithe
