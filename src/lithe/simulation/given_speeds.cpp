#include "lithe/simulation/given_speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/start_wishes.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {
constexpr double speed_tolerance = 1e-8;  ///< rad/s or m/s: given speeds may differ by rounding from the closures
}

void GivenSpeeds::add(int speed, double value) {
  for (Given& each : given_) {
    if (each.speed != speed) continue;
    each.value = value;
    return;
  }
  const int cut = speed - plan_.nv();
  if (cut < 0) {
    given_.push_back({plan_.speed_name(speed), speed, VectorX(), value});
    return;
  }
  MatrixX J;
  cut_jacobian(plan_, work_, state_.q, J);
  given_.push_back({plan_.speed_name(speed), speed, J.row(cut), value});
}

void GivenSpeeds::add(const InitialTwist& twist) {
  const FrameRef link{link_index(plan_, twist.link), 0};
  if (twist.velocity) add_vector(link, Wish::Kind::link_position, twist.link + ".velocity", *twist.velocity);
  if (twist.angular) add_vector(link, Wish::Kind::link_rotation, twist.link + ".angular", *twist.angular);
}

void GivenSpeeds::add(const PathDrive& path) {
  const FrameRef frame = frame_of_path(plan_, path);
  const PathPoint place = path.path.at(state_.t);
  const std::string name = path.link + "/" + path.frame;
  add_vector(frame, Wish::Kind::link_position, name + ".velocity", place.velocity);
  if (path.path.turns()) add_vector(frame, Wish::Kind::link_rotation, name + ".angular", place.turning.velocity);
}

void GivenSpeeds::add_vector(FrameRef frame, Wish::Kind kind, const std::string& name, const Vec3& values) {
  Wish wish;
  wish.kind = kind;
  wish.index = frame.link;
  wish.frame = frame.frame;
  const MatrixX J = wish_jacobian(plan_, work_, state_.q, wish);
  for (int axis = 0; axis < 3; ++axis)
    given_.push_back({fmt::format("{}.{}", name, "xyz"[axis]), -1, J.row(axis), values[axis]});
}

void GivenSpeeds::solve() {
  std::vector<int> keep;
  state_.v = VectorX::Zero(plan_.nv());
  for (const Given& each : given_) {
    if (!in_tree(each)) continue;
    keep.push_back(each.speed);
    state_.v[each.speed] = each.value;
  }
  require(select_independent(plan_, work_, state_.q, keep));
  MatrixX N;
  if (loop_complement(plan_, work_, state_.q, N)) {
    if (keep.size() < given_.size()) meet_the_others();
    require(complete_speeds(plan_, work_, state_.q, state_.v));
  } else {
    leave_along_the_given();
  }
  for (const Given& each : given_) {
    const double reached = in_tree(each) ? state_.v[each.speed] : each.row.dot(state_.v);
    if (std::abs(reached - each.value) <= speed_tolerance * (1.0 + std::abs(each.value))) continue;
    throw PhysicsError(
        fmt::format("the initial speed {:.6g} of '{}' contradicts the closures and the other "
                    "given speeds, which make it {:.6g}",
                    each.value, each.name, std::abs(reached) > speed_tolerance ? reached : 0.0));
  }
}

/// In a singular pose the given speeds say on which branch it is left, or they are too few.
void GivenSpeeds::leave_along_the_given() {
  MatrixX rows = MatrixX::Zero(std::ssize(given_), plan_.nv());
  VectorX values(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Given& each = given_[i];
    if (in_tree(each)) {
      rows(i, each.speed) = 1.0;
    } else {
      rows.row(i) = each.row;
    }
    values[i] = each.value;
  }
  const Status status = leave_singular_pose(plan_, work_, state_.q, rows, values, state_.v);
  if (status) return;
  throw PhysicsError(describe(plan_, status, state_.t) +
                     ". The mechanism starts there, and the given speeds do not say how the loop is left: give the "
                     "speeds of more of its joints under 'speeds', or another pose under 'initial'");
}

/// Independent speeds that nobody gave, of least size (scaled), such that the speeds outside the tree come out.
void GivenSpeeds::meet_the_others() {
  MatrixX N;
  require(loop_complement(plan_, work_, state_.q, N));
  const std::vector<int>& independent = work_.independent();
  std::vector<Eigen::Index> open;
  VectorX known = VectorX::Zero(N.cols());
  for (std::size_t i = 0; i < independent.size(); ++i) {
    const auto is_given = [&](const Given& each) { return each.speed == independent[i]; };
    if (std::any_of(given_.begin(), given_.end(), is_given)) {
      known[i] = state_.v[independent[i]];
    } else if (!plan_.is_bending(independent[i])) {
      open.push_back(static_cast<Eigen::Index>(i));
    }
  }
  std::vector<const Given*> others;
  for (const Given& each : given_)
    if (!in_tree(each)) others.push_back(&each);
  MatrixX A(std::ssize(others), std::ssize(open));
  VectorX b(A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const Given& each = *others[i];
    const VectorX row = N.transpose() * each.row;
    b[i] = each.value - row.dot(known);
    for (Eigen::Index j = 0; j < A.cols(); ++j) A(i, j) = row[open[j]] * scale(open, j);
  }
  const VectorX x = solve_minimum_norm(A, b, tolerance::rank_of_constraints).x;
  for (Eigen::Index j = 0; j < A.cols(); ++j) state_.v[independent[open[j]]] = x[j] * scale(open, j);
}

double GivenSpeeds::scale(const std::vector<Eigen::Index>& open, Eigen::Index j) const {
  return plan_.speed_scale(work_.independent()[open[j]]);
}

void GivenSpeeds::require(const Status& status) const {
  if (!status) throw PhysicsError(describe(plan_, status, state_.t));
}

}  // namespace lithe::detail
