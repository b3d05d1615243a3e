#pragma once
// A node of an articulated recursion: what it carries when its own joint and all beyond give way to forces.

#include <Eigen/LU>

#include "lithe/dynamics/inertia.hpp"
#include "lithe/kinematics/kernel.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

/// Of the cubed trace of the inertia about a ball: the three principal moments are zero but for rounding.
inline constexpr double vanishing_volume = 1e-36;

/// Articulated-body quantities of a node.
template <class S>
struct Articulated : ArticulatedInertia<S> {
  static constexpr int A = S::angular_size, L = S::linear_size;
  Eigen::Matrix<typename S::Number, A, 1> bias_moment, bias_alpha, axis_moment;
  Eigen::Matrix<typename S::Number, L, 1> bias_force, bias_acceleration, axis_force;
  typename S::Number inverse_inertia = 0.0, drive = 0.0;
};
/// The part of a spherical node that has three columns.
template <class T>
struct ArticulatedSphere {
  Matrix3Of<T> axis_moment, axis_force, inverse_inertia;
  Vector3Of<T> drive;
};

/// Removes the joint's own freedom: inertia and bias as the parent feels them, still in node axes.
template <class S>
bool release_axis(const NodeTable<S>& node, Articulated<S>& x, const typename S::Number& force) {
  typename S::Number inertia = 0.0, resisting = 0.0;
  if (node.kind == NodeKind::revolute) {
    x.axis_moment = node.sign * x.nn.col(S::turn_index);
    x.axis_force = node.sign * x.nf.row(S::turn_index).transpose();
    inertia = node.sign * x.axis_moment[S::turn_index];
    resisting = node.sign * x.bias_moment[S::turn_index];
  } else {
    x.axis_moment = x.nf.col(S::slide_index);
    x.axis_force = x.ff.col(S::slide_index);
    inertia = x.axis_force[S::slide_index];
    resisting = x.bias_force[S::slide_index];
  }
  inertia += node.armature;
  const typename S::Number scale = node.kind == NodeKind::revolute ? x.nn.trace() : x.ff.trace();
  if (!(lowest(inertia - tolerance::no_inertia * scale) > 0.0)) return false;
  x.inverse_inertia = 1.0 / inertia;
  x.drive = force - resisting;
  const Eigen::Matrix<typename S::Number, Articulated<S>::A, 1> scaled_moment = x.axis_moment * x.inverse_inertia;
  const Eigen::Matrix<typename S::Number, Articulated<S>::L, 1> scaled_force = x.axis_force * x.inverse_inertia;
  x.nn.noalias() -= x.axis_moment * scaled_moment.transpose();
  x.nf.noalias() -= scaled_moment * x.axis_force.transpose();
  x.ff.noalias() -= x.axis_force * scaled_force.transpose();
  x.bias_moment += scaled_moment * x.drive;
  x.bias_force += scaled_force * x.drive;
  return true;
}

template <class S>
bool release_sphere(const Kernel<S>& k, std::size_t i, const typename S::Vector& force, Articulated<S>& x,
                    ArticulatedSphere<typename S::Number>& sphere) {
  using Mat3 = typename S::Rotation;
  const NodeTable<S>& node = k.tables.nodes[i];
  const Mat3& axes = k.spherical_axes[i];
  sphere.axis_moment = x.nn * axes;
  sphere.axis_force = x.nf.transpose() * axes;
  const Mat3 inertia = axes.transpose() * sphere.axis_moment;
  const typename S::Number scale = inertia.trace();
  if (!(lowest(inertia.determinant() - vanishing_volume * scale * scale * scale) > 0.0)) return false;
  sphere.inverse_inertia = inertia.inverse();
  sphere.drive = force.template segment<3>(node.v) - axes.transpose() * x.bias_moment;
  const Mat3 scaled_moment = sphere.axis_moment * sphere.inverse_inertia;
  const Mat3 scaled_force = sphere.axis_force * sphere.inverse_inertia;
  x.nn -= scaled_moment * sphere.axis_moment.transpose();
  x.nf -= scaled_moment * sphere.axis_force.transpose();
  x.ff -= scaled_force * sphere.axis_force.transpose();
  x.bias_moment += scaled_moment * sphere.drive;
  x.bias_force += scaled_force * sphere.drive;
  return true;
}

/// Acceleration of the one freedom of a revolute or prismatic node whose carrier accelerates as given; adds it there.
template <class S, class Alpha>
typename S::Number release_acceleration(const NodeTable<S>& node, const Articulated<S>& x, Alpha& alpha,
                                        typename S::Linear& acceleration) {
  const typename S::Number own =
      x.inverse_inertia * (x.drive - x.axis_moment.dot(alpha) - x.axis_force.dot(acceleration));
  if (node.kind == NodeKind::revolute)
    alpha[S::turn_index] += node.sign * own;
  else
    acceleration[S::slide_index] += own;
  return own;
}

/// The same of a spherical node.
template <class T>
Vector3Of<T> release_acceleration(const ArticulatedSphere<T>& sphere, const Matrix3Of<T>& axes, Vector3Of<T>& alpha,
                                  const Vector3Of<T>& acceleration) {
  const Vector3Of<T> own = sphere.inverse_inertia * (sphere.drive - sphere.axis_moment.transpose() * alpha -
                                                     sphere.axis_force.transpose() * acceleration);
  alpha += axes * own;
  return own;
}

}  // namespace lithe::detail
