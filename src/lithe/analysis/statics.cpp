#include "lithe/analysis/statics.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <optional>

#include "lithe/dynamics/stress.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

constexpr int most_iterations = 100;
constexpr int most_halvings = 12;
constexpr double force_tolerance = 1e-11;  ///< of the largest force that acts
constexpr double nearly = 1e-7;            ///< likewise: what is left when rounding stops the search
constexpr double longest_step = 0.3;       ///< rad
constexpr double step_rounding = 1e-14;    ///< rad
constexpr double good_contraction = 0.3;   ///< of a step against the one before

/// Newton's method for the pose at which no force is missing. A step is shortened until it brings the next one (with
/// the same stiffness) down, Deuflhard's natural monotonicity test: unlike the size of the forces it does not depend on
/// how much stiffer stretching is than bending.
class RestSearch {
 public:
  RestSearch(const Plan& plan, Workspace& work, const Actions& actions, const std::vector<int>& locked)
      : plan_(plan), work_(work), actions_(actions), locked_(locked), still_(VectorX::Zero(plan.nv())) {}

  /// The equilibrium near `rest.state`; fills iterations, residual and linear.
  void run(Equilibrium& rest) {
    double weight = detail::tolerance::smallest;  // largest generalised force that acts, scaled to a moment
    while (true) {
      rest.linear = linearize(plan_, work_, rest.state, still_, actions_, locked_);
      measure(rest.linear);
      rest.residual = largest(rest.linear.residual.cwiseProduct(scale_));
      weight = std::max(weight, rest.residual);
      if (rest.linear.speeds.empty() || rest.residual <= force_tolerance * weight) return;
      const Eigen::FullPivLU<MatrixX> stiffness{MatrixX(scale_.asDiagonal() * rest.linear.K * scale_.asDiagonal())};
      if (!stiffness.isInvertible())
        throw PhysicsError(
            fmt::format("no equilibrium can be found: the mechanism moves without resistance with its "
                        "motors locked (rank {} of {}); add springs, lock more joints or load it",
                        stiffness.rank(), rest.linear.K.rows()));
      VectorX step = stiffness.solve(-scale_.cwiseProduct(rest.linear.residual));  // in radians or the like
      // A start at rest has no other force to compare with: there the step itself is rounding.
      if (largest(step) <= step_rounding) return;
      if (rest.iterations >= most_iterations) refuse(rest, fmt::format("after {} iterations", rest.iterations));
      double before = step.norm();
      if (!take(step, stiffness, rest)) {
        if (rest.residual < nearly * weight) return;
        refuse(rest, fmt::format("after {} iterations no step brings the forces nearer to balance", rest.iterations));
      }
      // The same stiffness serves as long as it brings much: to find it anew costs hundreds of evaluations.
      while (step.norm() < good_contraction * before && largest(step) > step_rounding) {
        before = step.norm();
        if (!take(step, stiffness, rest)) break;
      }
    }
  }

 private:
  static double largest(const VectorX& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0; }

  [[noreturn]] static void refuse(const Equilibrium& rest, const std::string& how) {
    throw PhysicsError(fmt::format(
        "no equilibrium found near the initial pose {} (a force of {:.3g} remains); start from a pose closer "
        "to rest or add damping and simulate",
        how, rest.residual));
  }

  void measure(const Linearization& linear) {
    scale_.resize(std::ssize(linear.speeds));
    for (Eigen::Index i = 0; i < scale_.size(); ++i) scale_[i] = plan_.speed_scale(linear.speeds[i]);
  }

  /// The line search: moves rest.state along `step` and puts the next one, with the same stiffness, in its place; false
  /// when no part of it helps.
  bool take(VectorX& step, const Eigen::FullPivLU<MatrixX>& stiffness, Equilibrium& rest) {
    double fraction = std::min(1.0, longest_step / largest(step));
    for (int k = 0; k <= most_halvings; ++k, fraction /= 2) {
      VectorX all = VectorX::Zero(plan_.nv());
      for (Eigen::Index i = 0; i < step.size(); ++i) all[rest.linear.speeds[i]] = fraction * step[i] * scale_[i];
      State there = rest.state;
      move_coordinates(plan_, all, there.q);
      if (!project_positions(plan_, work_, there.q, detail::tolerance::exact_closure)) continue;
      const std::optional<VectorX> missing = missing_force(there, rest.linear.speeds);
      if (!missing) continue;
      const VectorX next = stiffness.solve(-scale_.cwiseProduct(*missing));
      if (!(next.norm() <= (1 - fraction / 4) * step.norm())) continue;
      rest.state = there;
      step = next;
      ++rest.iterations;
      return true;
    }
    return false;
  }

  /// Generalised force along `speeds` that is missing for rest; nothing at a singular pose.
  std::optional<VectorX> missing_force(const State& there, const std::vector<int>& speeds) {
    VectorX force;
    lithe::missing_force(plan_, work_, there, still_, actions_, force);
    if (plan_.has_stress_stiffening()) {
      VectorX stress = VectorX::Zero(plan_.nv());
      stress_forces(plan_, work_, there, still_, actions_, stress);
      force -= stress;
    }
    MatrixX N;
    if (!loop_complement(plan_, work_, there.q, N)) return std::nullopt;
    VectorX missing(std::ssize(speeds));
    const std::vector<int>& independent = work_.independent();
    for (std::size_t i = 0, next = 0; i < independent.size() && next < speeds.size(); ++i)
      if (independent[i] == speeds[next]) missing[next++] = N.col(static_cast<Eigen::Index>(i)).dot(force);
    return missing;
  }

  const Plan& plan_;
  Workspace& work_;
  const Actions& actions_;
  const std::vector<int>& locked_;
  const VectorX still_;
  VectorX scale_;  ///< of the coordinates, see Plan::speed_scale
};

}  // namespace

Equilibrium find_equilibrium(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                             const std::vector<int>& locked) {
  Equilibrium rest;
  rest.state = start;
  rest.state.v.setZero();
  if (Status status = select_independent(plan, work, start.q, locked); !status)
    throw PhysicsError(describe(plan, status, start.t));
  RestSearch(plan, work, actions, locked).run(rest);
  InverseResult held;
  inverse_dynamics(plan, work, rest.state, VectorX::Zero(plan.nv()), actions, locked, held);
  rest.tau = held.tau;
  if (rest.linear.K.size() > 0) {
    const MatrixX K = 0.5 * (rest.linear.K + rest.linear.K.transpose());
    const VectorX stiffness = Eigen::SelfAdjointEigenSolver<MatrixX>(K, Eigen::EigenvaluesOnly).eigenvalues();
    rest.stable = stiffness[0] > -detail::tolerance::written * stiffness.cwiseAbs().maxCoeff();
  }
  return rest;
}

MatrixX frame_compliance(const Plan& plan, Workspace& work, const Equilibrium& rest, FrameRef frame) {
  MatrixX J, N;
  frame_jacobian(plan, work, rest.state.q, frame, J);
  if (Status status = loop_complement(plan, work, rest.state.q, N); !status)
    throw PhysicsError(describe(plan, status, rest.state.t));
  MatrixX columns(6, std::ssize(rest.linear.speeds));
  const std::vector<int>& independent = work.independent();
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < independent.size(); ++i)
    if (next < columns.cols() && rest.linear.speeds[next] == independent[i])
      columns.col(next++) = J * N.col(static_cast<Eigen::Index>(i));
  MatrixX compliance = columns * rest.linear.K.fullPivLu().solve(MatrixX(columns.transpose()));
  // What the shapes of its link do not hold moves this frame only.
  const Frame& place = plan.mechanism().links[frame.link].frames[frame.frame];
  if (place.residual.size() > 0) {
    MatrixX turn = MatrixX::Zero(6, 6);
    turn.topLeftCorner(3, 3) = turn.bottomRightCorner(3, 3) =
        frame_pose(plan, work, rest.state.q, frame).rotation * place.pose.rotation.transpose();
    compliance += turn * place.residual * turn.transpose();
  }
  return compliance;
}

std::vector<std::string> inextensible_links(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const LinkData& link : mechanism.links) {
    if (link.elastic.count() == 0 || !(link.axis.length > 0)) continue;
    bool stretches = false;
    for (const Axis::Piece& piece : link.axis.pieces)
      for (const Matrix3X& shape : piece.shape)
        stretches = stretches || (piece.along.transpose() * shape).norm() > 1e-12 * shape.norm();
    if (!stretches) names.push_back(link.name);
  }
  return names;
}

}  // namespace lithe
