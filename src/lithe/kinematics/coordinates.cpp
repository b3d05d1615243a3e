#include "lithe/kinematics/coordinates.hpp"

#include <cmath>

#include "lithe/kinematics/assembly.hpp"

namespace lithe {

namespace detail {

namespace {

Quat read_quaternion(const double* x) { return Quat(x[0], x[1], x[2], x[3]); }

void write_quaternion(const Quat& quaternion, double* x) {
  x[0] = quaternion.w();
  x[1] = quaternion.x();
  x[2] = quaternion.y();
  x[3] = quaternion.z();
}

}  // namespace

void add_step(const Compiled& plan, const VectorX& step, VectorX& q) {
  // Scalars stand in the same order in q and v; only the start of each joint differs.
  for (const TreeEdge& edge : plan.tree.edges) {
    const JointPlace& place = plan.places[edge.joint];
    const bool turns = place.nq != place.nv;
    const int scalars = turns ? place.nv - 3 : place.nv;
    for (int k = 0; k < scalars; ++k) q[place.q + k] += step[place.v + k];
    if (!turns) continue;
    const Vec3 turn = step.segment<3>(place.v + scalars);
    const double angle = turn.norm();
    if (angle == 0.0) continue;
    double* x = q.data() + place.q + scalars;
    const Quat moved = read_quaternion(x) * Quat(Eigen::AngleAxisd(angle, turn / angle));
    write_quaternion(moved.normalized(), x);
  }
  for (const ElasticPlace& place : plan.elastic)
    for (int k = 0; k < place.count; ++k) q[place.q + k] += step[place.v + k];
}

void step_between(const Compiled& plan, const VectorX& from, const VectorX& to, VectorX& step) {
  for (const TreeEdge& edge : plan.tree.edges) {
    const JointPlace& place = plan.places[edge.joint];
    const bool turns = place.nq != place.nv;
    const int scalars = turns ? place.nv - 3 : place.nv;
    for (int k = 0; k < scalars; ++k) step[place.v + k] = to[place.q + k] - from[place.q + k];
    if (!turns) continue;
    const int start = place.q + scalars;
    const Quat turn = read_quaternion(from.data() + start).conjugate() * read_quaternion(to.data() + start);
    const double sine = turn.vec().norm();
    const double angle = 2.0 * std::atan2(sine, std::abs(turn.w()));
    step.segment<3>(place.v + scalars) =
        sine > 0.0 ? Vec3(std::copysign(angle / sine, turn.w()) * turn.vec()) : Vec3(Vec3::Zero());
  }
  for (const ElasticPlace& place : plan.elastic)
    for (int k = 0; k < place.count; ++k) step[place.v + k] = to[place.q + k] - from[place.q + k];
}

Pose pose_from_coordinates(const Joint& joint, const double* q) {
  const JointFacts& facts = joint.facts();
  Pose pose;
  for (int k = 0; k < facts.scalars(); ++k) {
    const Vec3 direction = joint.direction_of(facts.speed[k]);
    if (facts.is_distance(k)) {
      pose.position += direction * q[k];
    } else {
      pose.rotation *= Mat3(Eigen::AngleAxisd(q[k], direction));
    }
  }
  if (facts.has_quaternion()) pose.rotation = read_quaternion(q + facts.scalars()).normalized().toRotationMatrix();
  return pose;
}

}  // namespace detail

void move_coordinates(const Plan& plan, const VectorX& step, VectorX& q) { detail::add_step(plan.compiled(), step, q); }

void coordinate_rates(const Plan& plan, const VectorX& q, const VectorX& v, VectorX& qdot) {
  qdot.resize(plan.nq());
  for (const detail::TreeEdge& edge : plan.compiled().tree.edges) {
    const JointPlace& place = plan.places()[edge.joint];
    const bool turns = place.nq != place.nv;
    const int scalars = turns ? place.nv - 3 : place.nv;
    for (int k = 0; k < scalars; ++k) qdot[place.q + k] = v[place.v + k];
    if (!turns) continue;
    // Quaternion rate: half of quaternion times (0, omega), omega in to-frame axes.
    const double* x = q.data() + place.q + scalars;
    const Vec3 omega = v.segment<3>(place.v + scalars);
    const double w = x[0];
    const Vec3 u(x[1], x[2], x[3]);
    qdot[place.q + scalars] = -0.5 * u.dot(omega);
    qdot.segment<3>(place.q + scalars + 1) = 0.5 * (w * omega + u.cross(omega));
  }
  for (const ElasticPlace& place : plan.elastic_places())
    for (int k = 0; k < place.count; ++k) qdot[place.q + k] = v[place.v + k];
}

void normalise_quaternions(const Plan& plan, VectorX& q) {
  for (int start : plan.compiled().quaternions) q.segment<4>(start).normalize();
}

}  // namespace lithe
