#pragma once
// Results of either arithmetic in space: poses and motions of links, wrenches put onto nodes.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Pose of a node (its spatial frame) in ground axes; update_world() must have run. node = -1: the ground.
template <class T>
PoseOf<T> node_pose(const Kernel<SpatialOf<T>>& k, int node);
template <class T>
PoseOf<T> node_pose(const Kernel<PlanarOf<T>>& k, int node);

/// Velocity and acceleration (gravity taken out) of a node in ground axes, at the node origin.
template <class T>
struct NodeMotionOf {
  Vector3Of<T> omega = Vector3Of<T>::Zero(), velocity = Vector3Of<T>::Zero(), alpha = Vector3Of<T>::Zero(),
               acceleration = Vector3Of<T>::Zero();
};
using NodeMotion = NodeMotionOf<double>;
template <class T>
NodeMotionOf<T> node_motion(const Kernel<SpatialOf<T>>& k, int node);
template <class T>
NodeMotionOf<T> node_motion(const Kernel<PlanarOf<T>>& k, int node);

/// Adds a force at a point and a moment, all in ground axes, to the loads on a node. In planar arithmetic what points
/// out of the plane is left to the reactions.
template <class T>
void add_load(Kernel<SpatialOf<T>>& k, int node, const Vector3Of<T>& point, const Vector3Of<T>& force,
              const Vector3Of<T>& moment);
template <class T>
void add_load(Kernel<PlanarOf<T>>& k, int node, const Vector3Of<T>& point, const Vector3Of<T>& force,
              const Vector3Of<T>& moment);

/// Where a frame of an elastic link stands and how it moves against its link, in link axes.
template <class T>
class FrameDeformation {
 public:
  using Coordinates = Eigen::Ref<const VectorOf<T>>;
  FrameDeformation(const LinkData& link, int frame, const Coordinates& eta);

  PoseOf<T> pose() const;
  Vector3Of<T> shape(Eigen::Index j) const;  ///< velocity per unit of elastic speed j
  Vector3Of<T> turn(Eigen::Index j) const {  ///< angular velocity, the same
    return jacobian_ * lift<T>(Vec3(frame_.turn.col(j)));
  }
  Vector3Of<T> slide(const VectorOf<T>& rate) const;  ///< velocity at elastic speeds `rate`
  Vector3Of<T> spin(const VectorOf<T>& rate) const;
  Vector3Of<T> slide_bias(const VectorOf<T>& rate) const;  ///< acceleration that comes with constant elastic speeds
  Vector3Of<T> spin_bias(const VectorOf<T>& rate) const;

 private:
  const Frame& frame_;
  bool shortens_;
  const Coordinates& eta_;
  Vector3Of<T> angle_;
  Matrix3Of<T> jacobian_;
};

/// Pose of a frame in the axes of its elastic link with coordinates eta; the undeformed one on a rigid link.
template <class T>
PoseOf<T> deformed(const LinkData& link, int frame, const Eigen::Ref<const VectorOf<T>>& eta);

template <class S>
auto elastic_part(const Kernel<S>& k, int link) {
  const ElasticPlace& place = k.compiled.elastic[link];
  return k.q.segment(place.q, place.count);
}

template <class S>
PoseOf<typename S::Number> frame_pose(const Kernel<S>& k, FrameRef frame) {
  using T = typename S::Number;
  const LinkPlace& place = k.compiled.links[frame.link];
  return node_pose(k, place.node) * lift_pose<T>(place.pose) *
         deformed<T>(k.compiled.mechanism.links[frame.link], frame.frame, elastic_part(k, frame.link));
}

/// Motion of a frame origin from that of its node, which is up to date.
template <class S>
NodeMotionOf<typename S::Number> frame_motion(const Kernel<S>& k, FrameRef frame) {
  using T = typename S::Number;
  const int node = k.compiled.links[frame.link].node;
  NodeMotionOf<T> m = node_motion(k, node);
  const Vector3Of<T> arm = frame_pose(k, frame).position - node_pose(k, node).position;
  const Vector3Of<T> swing = m.omega.cross(arm);
  m.velocity += swing;
  m.acceleration += m.alpha.cross(arm) + m.omega.cross(swing);
  const LinkData& link = k.compiled.mechanism.links[frame.link];
  if (link.elastic.count() == 0 || node < 0) return m;
  const BodyState<S>& body = k.bodies[k.tables.nodes[node].body];
  const Eigen::Ref<const VectorOf<T>> eta = elastic_part(k, frame.link);
  const FrameDeformation<T> d(link, frame.frame, eta);
  const Matrix3Of<T> axes = node_pose(k, node).rotation;
  const Vector3Of<T> slide = axes * d.slide(body.rate), spin = axes * d.spin(body.rate);
  m.velocity += slide;
  m.acceleration += 2.0 * m.omega.cross(slide) + axes * (d.slide(body.acceleration) + d.slide_bias(body.rate));
  m.alpha += m.omega.cross(spin) + axes * (d.spin(body.acceleration) + d.spin_bias(body.rate));
  m.omega += spin;
  return m;
}

/// A load at a frame: on the node of its link and, when that is elastic, on its coordinates.
template <class S>
void add_frame_load(Kernel<S>& k, FrameRef frame, const Vector3Of<typename S::Number>& point,
                    const Vector3Of<typename S::Number>& force, const Vector3Of<typename S::Number>& moment) {
  using T = typename S::Number;
  const int node = k.compiled.links[frame.link].node;
  add_load(k, node, point, force, moment);
  const LinkData& link = k.compiled.mechanism.links[frame.link];
  if (link.elastic.count() == 0 || node < 0) return;
  BodyState<S>& body = k.bodies[k.tables.nodes[node].body];
  const Eigen::Ref<const VectorOf<T>> eta = elastic_part(k, frame.link);
  const FrameDeformation<T> d(link, frame.frame, eta);
  const Matrix3Of<T> axes = node_pose(k, node).rotation;
  const Vector3Of<T> local_force = axes.transpose() * force, local_moment = axes.transpose() * moment;
  for (Eigen::Index j = 0; j < eta.size(); ++j)
    body.load[j] += d.shape(j).dot(local_force) + d.turn(j).dot(local_moment);
}

/// Memory for the cut joints.
template <class S>
struct CutJoints {
  explicit CutJoints(const Kernel<S>& k)
      : q(S::Vector::Zero(k.compiled.cut_nq)),
        v(S::Vector::Zero(k.compiled.cut_nv)),
        force(S::Vector::Zero(k.compiled.cut_nv)) {}
  typename S::Vector q, v, force;
};
template <class S>
CutJoints<S>& cut_joints(Kernel<S>& k) {
  return k.memory.template of<CutJoints<S>>(k);
}

/// Coordinates of the cut joints (length cut_nq); update_world() must have run.
template <class S>
void cut_coordinates_from_world(const Kernel<S>& k, typename S::Vector& cut_q);

}  // namespace lithe::detail
