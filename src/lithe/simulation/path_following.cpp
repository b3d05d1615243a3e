#include "lithe/simulation/path_following.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/simulation/start_wishes.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr int most_newton_steps = 30;
constexpr double longest_newton_step = 0.3;  ///< rad or characteristic lengths
constexpr double near_enough = 1e-9;         ///< likewise: what remains beyond it is not rounding
constexpr double all_digits = 1e-15;         ///< likewise: nothing is left to gain

}  // namespace

PathFollowing::PathFollowing(const std::vector<PathDrive>& paths, const Plan& plan, Workspace& work, const VectorX& q,
                             const std::vector<int>& known)
    : length_(plan.characteristic_length()) {
  int rows = 0;
  for (const PathDrive& each : paths) {
    followed_.push_back({&each.path, frame_of_path(plan, each), each.link + "/" + each.frame, rows});
    rows += each.path.turns() ? 6 : 3;
  }
  wanted_.resize(paths.size());
  error_ = VectorX::Zero(rows);
  step_ = VectorX::Zero(plan.nv());
  // All independent joint speeds that follow no law are candidates; pivoting takes those that move the frames.
  const std::vector<int>& independent = work.independent();
  for (std::size_t i = 0; i < independent.size(); ++i) {
    const int v = independent[i];
    if (plan.is_bending(v) || std::find(known.begin(), known.end(), v) != known.end()) continue;
    led_.push_back(v);
    columns_.push_back(static_cast<int>(i));
  }
  if (const Status status = factorise(plan, work, q); !status) throw PhysicsError(describe(plan, status, 0.0));
  MatrixX scaled = Q_ * R_;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) scaled.col(c) *= plan.speed_scale(led_[c]);
  const PivotedColumns pivots = pivot_columns(scaled, tolerance::rank);
  std::vector<int> led, columns;
  for (int i = 0; i < pivots.rank; ++i) {
    led.push_back(led_[pivots.order[i]]);
    columns.push_back(columns_[pivots.order[i]]);
  }
  led_ = led;
  columns_ = columns;
}

double PathFollowing::distance(const Plan& plan, Workspace& work, const VectorX& q, double t) {
  for (std::size_t i = 0; i < followed_.size(); ++i) wanted_[i] = followed_[i].path->at(t);
  take_error(plan, work, q);
  return error_.lpNorm<Eigen::Infinity>();
}

/// What is wanted minus what is there: rotation vectors in ground axes, distances over the characteristic length.
void PathFollowing::take_error(const Plan& plan, Workspace& work, const VectorX& q) {
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    const Followed& each = followed_[i];
    const Pose pose = frame_pose(plan, work, q, each.frame);
    error_.segment<3>(each.row) = (wanted_[i].position - pose.position) / length_;
    if (each.path->turns())
      error_.segment<3>(each.row + 3) = vector_from_rotation(wanted_[i].turning.rotation * pose.rotation.transpose());
  }
}

/// J N = Q R by the modified Gram-Schmidt process, which solves least squares as well as Householder's does.
Status PathFollowing::factorise(const Plan& plan, Workspace& work, const VectorX& q) {
  if (const Status status = loop_complement(plan, work, q, N_); !status) return status;
  const auto n = std::ssize(led_);
  Q_.resize(error_.size(), n);
  R_.setZero(n, n);
  for (const Followed& each : followed_) {
    frame_jacobian(plan, work, q, each.frame, J_);
    for (Eigen::Index c = 0; c < n; ++c) {
      Q_.col(c).segment<3>(each.row).noalias() = J_.bottomRows<3>() * N_.col(columns_[c]) / length_;
      if (each.path->turns()) Q_.col(c).segment<3>(each.row + 3).noalias() = J_.topRows<3>() * N_.col(columns_[c]);
    }
  }
  double largest = 0.0, smallest = std::numeric_limits<double>::infinity();
  for (Eigen::Index c = 0; c < n; ++c) {
    const double size = Q_.col(c).norm();
    R_(c, c) = size;
    if (size > 0.0) Q_.col(c) /= size;
    for (Eigen::Index later = c + 1; later < n; ++later) {
      R_(c, later) = Q_.col(c).dot(Q_.col(later));
      Q_.col(later) -= R_(c, later) * Q_.col(c);
    }
    const double pivot = size * plan.speed_scale(led_[c]);
    largest = std::max(largest, pivot);
    smallest = std::min(smallest, pivot);
  }
  spread_ = largest / smallest;
  return {};
}

/// x that makes |J N x - error| least; `error_` is used up.
void PathFollowing::solve() {
  const Eigen::Index n = R_.cols();
  x_.resize(n);
  for (Eigen::Index c = 0; c < n; ++c) {
    x_[c] = Q_.col(c).dot(error_);
    error_ -= x_[c] * Q_.col(c);
  }
  R_.triangularView<Eigen::Upper>().solveInPlace(x_);
}

double PathFollowing::condition(const Plan& plan, Workspace& work, const VectorX& q) const {
  // Motors m = M x and twists Q R x, Q orthonormal: m = M R^-1 Q^T twist has the singular values of M R^-1.
  MatrixX motors = speed_jacobian(plan, work, q, plan.actuated_speeds()) * N_(Eigen::all, columns_);
  for (Eigen::Index i = 0; i < motors.rows(); ++i)
    motors.row(i) /= plan.slides(plan.actuated_speeds()[i]) ? length_ : 1.0;
  const MatrixX transposed = R_.transpose().triangularView<Eigen::Lower>().solve(MatrixX(motors.transpose()));
  const VectorX values = singular_values(transposed);
  if (values.size() == 0) return 1.0;
  return values.maxCoeff() / std::max(values.minCoeff(), tolerance::smallest);
}

RunStatus PathFollowing::miss(double t) const {
  std::size_t worst = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    const int rows = followed_[i].path->turns() ? 6 : 3;
    const double size = error_.segment(followed_[i].row, rows).norm();
    if (size > most) most = size, worst = i;
  }
  const Followed& each = followed_[worst];
  const double off = error_.segment<3>(each.row).norm() * length_;
  const double turned = each.path->turns() ? error_.segment<3>(each.row + 3).norm() : 0.0;
  return RunStatus::refused(
      fmt::format("'{}' cannot follow its path at t = {:.6g} s: it stays {:.3g} m{} away. The path leaves the "
                  "workspace there, or asks "
                  "for a motion that the mechanism does not have",
                  each.name, t, off, turned > near_enough ? fmt::format(" and {:.3g} rad", turned) : std::string()));
}

RunStatus PathFollowing::reach(const Plan& plan, Workspace& work, State& state) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_newton_steps; ++i) {
    take_error(plan, work, state.q);
    if (const Status status = factorise(plan, work, state.q); !status) return {plan, status, state.t};
    const double size = error_.lpNorm<Eigen::Infinity>();
    if (!(spread_ < 1.0 / tolerance::singular_leg) && !led_.empty())
      return RunStatus::refused(fmt::format(
          "the pose at t = {:.6g} s is singular for the path of '{}' (condition number {:.2g}): the mechanism can move "
          "there while the frame stays; choose a path that keeps away from it",
          state.t, followed_.front().name, spread_));
    // Newton's method has arrived when it no longer gains anything.
    if (size <= all_digits || (size <= near_enough && size > 0.5 * before)) return {};
    before = size;
    solve();
    double longest = 0.0;
    for (std::size_t c = 0; c < led_.size(); ++c)
      longest = std::max(longest, std::abs(x_[static_cast<Eigen::Index>(c)]) / plan.speed_scale(led_[c]));
    const double share = longest > longest_newton_step ? longest_newton_step / longest : 1.0;
    step_.setZero();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      step_ += share * x_[static_cast<Eigen::Index>(c)] * N_.col(columns_[c]);
    move_coordinates(plan, step_, state.q);
    if (!project_positions(plan, work, state.q)) break;
  }
  take_error(plan, work, state.q);
  return miss(state.t);
}

RunStatus PathFollowing::follow(const Plan& plan, Workspace& work, double t, State& state, VectorX& a) {
  for (std::size_t i = 0; i < followed_.size(); ++i) wanted_[i] = followed_[i].path->at(t);
  if (RunStatus reached = reach(plan, work, state); !reached) return reached;

  // What the led speeds have to add to the twists that the others make.
  const auto missing = [&](const Followed& each, const Twist& wanted, const Twist& there) {
    error_.segment<3>(each.row) = (wanted.linear - there.linear) / length_;
    if (each.path->turns()) error_.segment<3>(each.row + 3) = wanted.angular - there.angular;
  };
  const auto put = [&](VectorX& values) {
    for (std::size_t c = 0; c < led_.size(); ++c) values[led_[c]] = x_[static_cast<Eigen::Index>(c)];
  };
  for (const int v : led_) state.v[v] = a[v] = 0.0;
  Status status = complete_speeds(plan, work, state.q, state.v);
  if (!status) return {plan, status, state.t};
  for (std::size_t i = 0; i < followed_.size(); ++i)
    missing(followed_[i], {wanted_[i].turning.velocity, wanted_[i].velocity},
            frame_velocity(plan, work, state, followed_[i].frame));
  solve();
  put(state.v);
  status = complete_speeds(plan, work, state.q, state.v);
  if (status) status = complete_accelerations(plan, work, state, a);
  if (!status) return {plan, status, state.t};
  for (std::size_t i = 0; i < followed_.size(); ++i)
    missing(followed_[i], {wanted_[i].turning.acceleration, wanted_[i].acceleration},
            frame_acceleration(plan, work, state, a, followed_[i].frame));
  solve();
  put(a);
  status = complete_accelerations(plan, work, state, a);
  return {plan, status, state.t};
}

}  // namespace lithe::detail
