#pragma once
// Arithmetic of coordinate vectors with quaternions, and coordinates of a joint from the poses of its frames.

#include <cmath>

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// q <- q (+) step (length nv): scalars add, quaternions turn by the rotation vector in to-frame axes.
void add_step(const Compiled& plan, const VectorX& step, VectorX& q);

/// step such that from (+) step = to.
void step_between(const Compiled& plan, const VectorX& from, const VectorX& to, VectorX& step);

/// The quaternion w, x, y, z of a rotation. (Other numbers bring their own.)
inline void write_quaternion_of(const Mat3& rotation, double* q) {
  const Quat quaternion = Quat(rotation).normalized();
  q[0] = quaternion.w();
  for (int i = 0; i < 3; ++i) q[1 + i] = quaternion.vec()[i];
}

/// Writes position_count(joint.type) coordinates of a joint whose to-frame stands at `relative` in its from-frame.
/// Angles come out in (-pi, pi]. Directions that the joint does not allow are ignored.
template <class T>
void coordinates_from_pose(const Joint& joint, const PoseOf<T>& relative, T* q) {
  using std::atan2;
  const JointFacts& facts = joint.facts();
  const auto constant = [](const Vec3& x) { return Vector3Of<T>(lift<T>(x)); };
  if (facts.axes == 2) {
    // R = turn(axis, q0) turn(axis2, q1): axis2 is only moved by the first turn, axis seen from the other side only
    // by the second.
    const Vector3Of<T> axis = constant(joint.axis), axis2 = constant(joint.axis2);
    const Vector3Of<T> second = relative.rotation * axis2;
    const Vector3Of<T> first = relative.rotation.transpose() * axis;
    q[0] = atan2(axis.dot(axis2.cross(second)), axis2.dot(second));
    q[1] = -atan2(axis2.dot(axis.cross(first)), axis.dot(first));
    return;
  }
  for (int k = 0; k < facts.scalars(); ++k) {
    const Vector3Of<T> direction = constant(joint.direction_of(facts.speed[k]));
    if (facts.is_distance(k)) {
      q[k] = direction.dot(relative.position);
    } else {
      // Measured on a direction perpendicular to the axis.
      const Vector3Of<T> across = constant(frame_with_z(joint.direction_of(facts.speed[k])).col(0));
      const Vector3Of<T> turned = relative.rotation * across;
      q[k] = atan2(direction.dot(across.cross(turned)), across.dot(turned));
    }
  }
  if (facts.has_quaternion()) write_quaternion_of(relative.rotation, q + facts.scalars());
}

/// Pose of the to-frame in the from-frame at the given coordinates.
Pose pose_from_coordinates(const Joint& joint, const double* q);

}  // namespace lithe::detail
