#pragma once
// Rotations, positions and their composition. A Pose maps coordinates of a child frame into its parent frame.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace lithe {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;

/// Rigid placement of a child frame in a parent frame: x_parent = rotation * x_child + position.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();

  Pose operator*(const Pose& inner) const;
  Vec3 operator*(const Vec3& point) const;
  Pose inverse() const;
};

/// Velocity (or acceleration) of a frame: angular part first. Axes and reference point are stated where used.
struct Twist {
  Vec3 angular = Vec3::Zero();
  Vec3 linear = Vec3::Zero();
};

/// Moment and force. Axes and reference point are stated where used.
struct Wrench {
  Vec3 moment = Vec3::Zero();
  Vec3 force = Vec3::Zero();
};

/// The matrix with skew(a) * b = a x b.
Mat3 skew(const Vec3& a);

/// Rotation matrix of a rotation vector (axis times angle, rad).
Mat3 rotation_from_vector(const Vec3& angle);

/// Rotation vector (axis times angle, rad, |angle| <= pi) of a rotation matrix.
Vec3 vector_from_rotation(const Mat3& rotation);

/// A right-handed rotation whose third column is `axis` (unit). Deterministic; the identity for axis = z.
Mat3 frame_with_z(const Vec3& axis);

}  // namespace lithe
