#include "lithe/kinematics/wish.hpp"

#include <cmath>
#include <numbers>

#include "lithe/kinematics/motion.hpp"

namespace lithe {
namespace {

Quat quaternion_at(const VectorX& q, int start) { return {q[start], q[start + 1], q[start + 2], q[start + 3]}; }

const JointPlace& place_of_wish(const Plan& plan, const Wish& wish) { return plan.places()[wish.index]; }

/// Coordinates of a joint, wherever they stand: the vector and the place of the first one.
struct JointCoordinates {
  VectorX cut;
  const VectorX* all = nullptr;
  int first = 0;
};

JointCoordinates coordinates_of(const Plan& plan, Workspace& work, const VectorX& q, const Wish& wish) {
  const JointPlace& place = place_of_wish(plan, wish);
  JointCoordinates result;
  result.first = place.q;
  if (place.cut) cut_coordinates(plan, work, q, result.cut);
  result.all = place.cut ? &result.cut : &q;
  return result;
}

}  // namespace

int row_count(const Wish& wish) { return wish.kind == Wish::Kind::coordinate ? 1 : 3; }

bool is_distance(const Plan& plan, const Wish& wish) {
  if (wish.kind != Wish::Kind::coordinate) return wish.kind == Wish::Kind::link_position;
  return plan.mechanism().joints[wish.index].facts().is_distance(wish.coordinate);
}

VectorX wish_error(const Plan& plan, Workspace& work, const VectorX& q, const Wish& wish) {
  switch (wish.kind) {
    case Wish::Kind::coordinate: {
      const JointCoordinates at = coordinates_of(plan, work, q, wish);
      const double off = (*at.all)[at.first + wish.coordinate] - wish.value;
      return VectorX::Constant(1, is_distance(plan, wish) ? off : std::remainder(off, 2.0 * std::numbers::pi));
    }
    case Wish::Kind::rotation: {
      const JointCoordinates at = coordinates_of(plan, work, q, wish);
      const JointPlace& place = place_of_wish(plan, wish);
      const Quat present = quaternion_at(*at.all, at.first + place.nq - 4).normalized();
      return vector_from_rotation((wish.rotation.conjugate() * present).toRotationMatrix());
    }
    case Wish::Kind::link_position:
      return frame_pose(plan, work, q, {wish.index, wish.frame}).position - wish.position;
    case Wish::Kind::link_rotation:
      break;
  }
  const Mat3 present = frame_pose(plan, work, q, {wish.index, wish.frame}).rotation;
  return vector_from_rotation(present * wish.rotation.toRotationMatrix().transpose());
}

MatrixX wish_jacobian(const Plan& plan, Workspace& work, const VectorX& q, const Wish& wish) {
  const int rows = row_count(wish);
  if (wish.kind == Wish::Kind::link_position || wish.kind == Wish::Kind::link_rotation) {
    MatrixX J;
    frame_jacobian(plan, work, q, {wish.index, wish.frame}, J);
    return J.middleRows(wish.kind == Wish::Kind::link_position ? 3 : 0, rows);
  }
  const JointPlace& place = place_of_wish(plan, wish);
  const int first = place.v + (wish.kind == Wish::Kind::coordinate ? wish.coordinate : place.nv - 3);
  if (place.cut) {
    MatrixX J;
    cut_jacobian(plan, work, q, J);
    return J.middleRows(first, rows);
  }
  MatrixX J = MatrixX::Zero(rows, plan.nv());
  J.middleCols(first, rows).setIdentity();
  return J;
}

std::vector<int> tree_speeds_of(const Plan& plan, const Wish& wish) {
  if (wish.kind != Wish::Kind::coordinate && wish.kind != Wish::Kind::rotation) return {};
  const JointPlace& place = place_of_wish(plan, wish);
  if (place.cut) return {};
  if (wish.kind == Wish::Kind::coordinate) return {place.v + wish.coordinate};
  const int first = place.v + place.nv - 3;
  return {first, first + 1, first + 2};
}

void place_wish(const Plan& plan, const Wish& wish, VectorX& q) {
  if (tree_speeds_of(plan, wish).empty()) return;
  const JointPlace& place = place_of_wish(plan, wish);
  if (wish.kind == Wish::Kind::coordinate) {
    q[place.q + wish.coordinate] = wish.value;
    return;
  }
  const Quat turn = wish.rotation.normalized();
  q.segment<4>(place.q + place.nq - 4) << turn.w(), turn.x(), turn.y(), turn.z();
}

}  // namespace lithe
