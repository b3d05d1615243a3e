#include "lithe/analysis/linearize.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "lithe/dynamics/derivatives.hpp"
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

// Steps of differences. Rates are seen through a quadratic; positions through sines and the shapes of links.
constexpr double position_step = 1e-3, speed_step = 1e-2;

/// The state moved in one independent coordinate and in its speed; the others follow.
State moved(const Plan& plan, Workspace& work, const State& state, int speed, double position, double rate) {
  State there = state;
  VectorX step = VectorX::Zero(plan.nv());
  step[speed] = position;
  move_coordinates(plan, step, there.q);
  require(plan, project_positions(plan, work, there.q, detail::tolerance::exact_closure), there.t);
  there.v[speed] += rate;
  require(plan, complete_speeds(plan, work, there.q, there.v), there.t);
  return there;
}

/// Slopes of the generalised force that is missing: by the independent coordinates and by their speeds.
struct MissingSlopes {
  MatrixX by_position, by_speed;
};

/// Exactly, but for the feedback, which is a function that only differences can see into. Empty where there are no exact
/// derivatives: with stiffening 'stress', in and beside singular poses.
std::optional<MissingSlopes> exact_slopes(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                                          const Actions& actions, const StateForces& feedback) {
  VectorX motion = a;
  require(plan, complete_accelerations(plan, work, state, motion), state.t);
  Actions acting = actions;
  if (feedback) feedback(state, work, acting.tau);
  InverseDerivatives slopes;
  if (!inverse_derivatives(plan, work, state, acting, motion, slopes)) return std::nullopt;
  MissingSlopes missing{slopes.by_position, slopes.by_speed};
  if (!feedback) return missing;

  std::vector<int> speeds(actions.tau.size());
  std::iota(speeds.begin(), speeds.end(), 0);
  MatrixX N;
  require(plan, loop_complement(plan, work, state.q, N), state.t);
  const MatrixX along = (speed_jacobian(plan, work, state.q, speeds) * N).transpose();
  const auto fed_back = [&](int speed, double position, double rate) {
    const State there = moved(plan, work, state, speed, position, rate);
    VectorX tau = VectorX::Zero(actions.tau.size());
    feedback(there, work, tau);
    return tau;
  };
  for (std::size_t j = 0; j < work.independent().size(); ++j) {
    const int speed = work.independent()[j];
    const double scale = plan.speed_scale(speed);
    const auto column = static_cast<Eigen::Index>(j);
    missing.by_position.col(column) -=
        along * detail::five_point_slope(position_step * scale, [&](double h) { return fed_back(speed, h, 0.0); });
    missing.by_speed.col(column) -=
        along * detail::five_point_slope(speed_step * scale, [&](double h) { return fed_back(speed, 0.0, h); });
  }
  return missing;
}

/// Generalised force that is missing for the motion (x, x', x'') of the independent coordinates:
/// N^T (what the tree needs - what acts). The forces of the strain are linear; what they change by is left out and
/// comes in closed form, so that the tolerance of the closures is not multiplied by the stiffness of stretching.
class MissingForce {
 public:
  MissingForce(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
               const StateForces& feedback)
      : plan_(plan), work_(work), state_(state), a_(a), actions_(actions), held_(actions.tau), feedback_(feedback) {}

  /// At the state moved by `position` and `rate` in one independent coordinate.
  VectorX at(int speed, double position, double rate) {
    if (plan_.nv() == 0) return VectorX(0);  // nothing can move
    const State there = moved(plan_, work_, state_, speed, position, rate);
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
  const auto n = std::ssize(kept);
  linear.K.resize(n, n);
  linear.D.resize(n, n);
  const auto reduced = [&](const VectorX& full) {
    VectorX part(n);
    for (Eigen::Index i = 0; i < n; ++i) part[i] = full[kept[i]];
    return part;
  };
  MatrixX G, N;
  require(plan, loop_complement(plan, work, state.q, N), state.t);
  MissingForce missing(plan, work, state, a, actions, feedback);
  if (const auto exact = exact_slopes(plan, work, state, a, actions, feedback)) {
    for (Eigen::Index j = 0; j < n; ++j) {
      linear.K.col(j) = reduced(exact->by_position.col(kept[j]));
      linear.D.col(j) = reduced(exact->by_speed.col(kept[j]));
    }
  } else {
    MatrixX strain = MatrixX::Zero(N.cols(), N.cols());
    detail::add_strain_stiffness(plan, N, strain);
    for (Eigen::Index j = 0; j < n; ++j) {
      const int speed = linear.speeds[j];
      const double scale = plan.speed_scale(speed);
      linear.K.col(j) = reduced(strain.col(kept[j]) + detail::five_point_slope(position_step * scale, [&](double h) {
                                  return missing.at(speed, h, 0.0);
                                }));
      linear.D.col(j) =
          reduced(detail::five_point_slope(speed_step * scale, [&](double h) { return missing.at(speed, 0.0, h); }));
    }
  }
  linear.residual = reduced(missing.at(linear.speeds.empty() ? 0 : linear.speeds[0], 0.0, 0.0));
  require(plan, generalised_inertia(plan, work, state.q, G), state.t);
  linear.M.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) linear.M(i, j) = G(kept[i], kept[j]);
  linear.actuators = plan.actuated_speeds();
  std::erase_if(linear.actuators, [&](int v) { return std::find(locked.begin(), locked.end(), v) != locked.end(); });
  linear.B.resize(n, std::ssize(linear.actuators));
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
