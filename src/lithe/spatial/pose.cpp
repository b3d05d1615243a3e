#include "lithe/spatial/pose.hpp"

#include <cmath>

namespace lithe {

Pose Pose::operator*(const Pose& inner) const {
  return {rotation * inner.rotation, rotation * inner.position + position};
}

Vec3 Pose::operator*(const Vec3& point) const { return rotation * point + position; }

Pose Pose::inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }

Mat3 skew(const Vec3& a) {
  Mat3 s;
  s << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return s;
}

Mat3 rotation_from_vector(const Vec3& angle) {
  const double size = angle.norm();
  if (size == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(size, angle / size).toRotationMatrix();
}

Vec3 vector_from_rotation(const Mat3& rotation) {
  Quat quaternion(rotation);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1;
  const double sine = quaternion.vec().norm();
  // Near zero the ratio angle / sine tends to 2.
  const double ratio = sine < 1e-12 ? 2.0 : 2.0 * std::atan2(sine, quaternion.w()) / sine;
  return ratio * quaternion.vec();
}

Mat3 frame_with_z(const Vec3& axis) {
  if (axis.z() > 1.0 - 1e-14) return Mat3::Identity();
  // First column: the coordinate direction least aligned with the axis, made perpendicular to it. For axis = x and y
  // this continues the cycle x -> y -> z.
  Vec3 start = Vec3::UnitX();
  if (std::abs(axis.x()) > 0.9)
    start = Vec3::UnitY();
  else if (std::abs(axis.y()) > 0.9)
    start = Vec3::UnitZ();
  const Vec3 x = (start - axis * axis.dot(start)).normalized();
  Mat3 frame;
  frame << x, axis.cross(x), axis;
  return frame;
}

}  // namespace lithe
