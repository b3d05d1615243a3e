#pragma once
// What a node carries, as it resists acceleration: of one rigid body, or of a tree whose joints give way.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Moment and force, about and at the origin of a node, in its axes.
template <class S>
struct NodeWrench {
  typename S::Angular moment = S::zero_angular();
  typename S::Linear force = S::Linear::Zero();

  NodeWrench& operator+=(const NodeWrench& other) {
    moment += other.moment;
    force += other.force;
    return *this;
  }
  /// The same wrench about the origin of outer axes, in which these stand at `position`.
  NodeWrench seen_from(const typename S::Rotation& rotation, const typename S::Linear& position) const {
    const typename S::Linear outer = S::turn(rotation, force);
    return {S::turn_angular(rotation, moment) + S::moment(position, outer), outer};
  }
};

/// Angular acceleration, and acceleration of the node origin.
template <class S>
struct NodeAcceleration {
  typename S::Angular alpha = S::zero_angular();
  typename S::Linear linear = S::Linear::Zero();

  /// Of a frame that is carried along, in its own axes; it stands at `position` and `rotation` in these.
  NodeAcceleration carried_to(const typename S::Rotation& rotation, const typename S::Linear& position) const {
    return {S::turn_back_angular(rotation, alpha), S::turn_back(rotation, linear + S::spin(alpha, position))};
  }
};

/// How a mount moves against its node per acceleration of elastic coordinate j, seen at the node origin.
template <class S>
NodeAcceleration<S> mount_column(const MountState<S>& mount, int j) {
  const typename S::Angular turn = S::from_column(mount.turn.col(j));
  return {turn, mount.shape.col(j) - S::spin(turn, mount.position)};
}

/// Mass and moments of mass about the node origin.
template <class S>
struct RigidInertia {
  double mass = 0.0;
  typename S::Linear first = S::Linear::Zero();
  typename S::Moment2 second{};

  void become(const RigidInertia& body) { *this = body; }
  NodeWrench<S> turning(const typename S::Angular& axis) const {
    return {S::times(second, axis), S::spin(axis, first)};
  }
  NodeWrench<S> sliding(const typename S::Linear& along) const { return {S::moment(first, along), mass * along}; }
  NodeWrench<S> moving(const typename S::Angular& angular, const typename S::Linear& linear) const {
    return {S::times(second, angular) + S::moment(first, linear), mass * linear + S::spin(angular, first)};
  }
  RigidInertia& operator+=(const RigidInertia& other) {
    mass += other.mass;
    first += other.first;
    second += other.second;
    return *this;
  }
  RigidInertia seen_from(const typename S::Rotation& rotation, const typename S::Linear& position) const {
    const typename S::Linear turned = S::turn(rotation, first);
    return {mass, turned + mass * position, S::shift(second, rotation, position, turned, mass)};
  }
};

/// Symmetric matrix from accelerations to wrenches.
template <class S>
struct ArticulatedInertia {
  static constexpr int A = S::angular_size, L = S::linear_size;
  Eigen::Matrix<typename S::Number, A, A> nn;  ///< moment per angular acceleration
  Eigen::Matrix<typename S::Number, A, L> nf;  ///< moment per linear acceleration
  Eigen::Matrix<typename S::Number, L, L> ff;  ///< force per linear acceleration

  void clear() {
    nn.setZero();
    nf.setZero();
    ff.setZero();
  }
  void become(const RigidInertia<S>& body) {
    nn = S::square(body.second);
    // Moment of a linear acceleration: first x a = P(first)^T a, in space as in the plane.
    nf = S::swing_matrix(body.first).transpose();
    ff.setZero();
    ff.diagonal().setConstant(body.mass);
  }

  NodeWrench<S> turning(const typename S::Angular& axis) const {
    return {S::from_column(nn * S::column(axis)), nf.transpose() * S::column(axis)};
  }
  NodeWrench<S> sliding(const typename S::Linear& along) const { return {S::from_column(nf * along), ff * along}; }
  NodeWrench<S> moving(const typename S::Angular& angular, const typename S::Linear& linear) const {
    return {S::from_column(nn * S::column(angular) + nf * linear), nf.transpose() * S::column(angular) + ff * linear};
  }
  ArticulatedInertia& operator+=(const ArticulatedInertia& other) {
    nn += other.nn;
    nf += other.nf;
    ff += other.ff;
    return *this;
  }
  ArticulatedInertia seen_from(const typename S::Rotation& rotation, const typename S::Linear& position) const {
    const auto& R = S::matrix(rotation);
    const Eigen::Matrix<typename S::Number, L, A> P = S::swing_matrix(position);
    Eigen::Matrix<typename S::Number, A, A> outer_nn;
    Eigen::Matrix<typename S::Number, A, L> outer_nf;
    ArticulatedInertia outer;
    if constexpr (S::planar) {
      outer_nn = nn;
      outer_nf.noalias() = nf * R.transpose();
    } else {
      outer_nn.noalias() = R * nn * R.transpose();
      outer_nf.noalias() = R * nf * R.transpose();
    }
    outer.ff.noalias() = R * ff * R.transpose();
    const Eigen::Matrix<typename S::Number, L, A> swing = outer_nf.transpose() + outer.ff * P;
    outer.nn = outer_nn + outer_nf * P + P.transpose() * swing;
    outer.nf = swing.transpose();
    return outer;
  }
};

}  // namespace lithe::detail
