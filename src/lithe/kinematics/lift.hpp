#pragma once
// Results of either arithmetic in space: poses and motions of links, wrenches put onto nodes.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Pose of a node (its spatial frame) in ground axes; update_world() must have run. node = -1: the ground.
Pose node_pose(const Kernel<Spatial>& k, int node);
Pose node_pose(const Kernel<Planar>& k, int node);

/// Velocity and acceleration (gravity taken out) of a node in ground axes, at the node origin.
struct NodeMotion {
  Vec3 omega = Vec3::Zero(), velocity = Vec3::Zero(), alpha = Vec3::Zero(), acceleration = Vec3::Zero();
};
NodeMotion node_motion(const Kernel<Spatial>& k, int node);
NodeMotion node_motion(const Kernel<Planar>& k, int node);

/// Adds a force at a point and a moment, all in ground axes, to the loads on a node. In planar arithmetic what points
/// out of the plane is left to the reactions.
void add_load(Kernel<Spatial>& k, int node, const Vec3& point, const Vec3& force, const Vec3& moment);
void add_load(Kernel<Planar>& k, int node, const Vec3& point, const Vec3& force, const Vec3& moment);

/// Pose of a frame in the axes of its elastic link with coordinates eta; the undeformed one on a rigid link.
Pose deformed(const LinkData& link, int frame, const Eigen::Ref<const VectorX>& eta);

/// Where such a frame stands and how it moves against its link, in link axes.
class FrameDeformation {
 public:
  FrameDeformation(const LinkData& link, int frame, const Eigen::Ref<const VectorX>& eta);

  Pose pose() const;
  Vec3 shape(Eigen::Index j) const;                                           ///< velocity per unit of elastic speed j
  Vec3 turn(Eigen::Index j) const { return jacobian_ * frame_.turn.col(j); }  ///< angular velocity, the same
  Vec3 slide(const VectorX& rate) const;                                      ///< velocity at elastic speeds `rate`
  Vec3 spin(const VectorX& rate) const;
  Vec3 slide_bias(const VectorX& rate) const;  ///< acceleration that comes with constant elastic speeds
  Vec3 spin_bias(const VectorX& rate) const;

 private:
  const Frame& frame_;
  bool shortens_;
  const Eigen::Ref<const VectorX>& eta_;
  Vec3 angle_;
  Mat3 jacobian_;
};

template <class S>
auto elastic_part(const Kernel<S>& k, int link) {
  const ElasticPlace& place = k.compiled.elastic[link];
  return k.q.segment(place.q, place.count);
}

template <class S>
Pose frame_pose(const Kernel<S>& k, FrameRef frame) {
  const LinkPlace& place = k.compiled.links[frame.link];
  return node_pose(k, place.node) * place.pose *
         deformed(k.compiled.mechanism.links[frame.link], frame.frame, elastic_part(k, frame.link));
}

/// Motion of a frame origin from that of its node, which is up to date.
template <class S>
NodeMotion frame_motion(const Kernel<S>& k, FrameRef frame) {
  const int node = k.compiled.links[frame.link].node;
  NodeMotion m = node_motion(k, node);
  const Vec3 arm = frame_pose(k, frame).position - node_pose(k, node).position;
  const Vec3 swing = m.omega.cross(arm);
  m.velocity += swing;
  m.acceleration += m.alpha.cross(arm) + m.omega.cross(swing);
  const LinkData& link = k.compiled.mechanism.links[frame.link];
  if (link.elastic.count() == 0 || node < 0) return m;
  const BodyState<S>& body = k.bodies[k.tables.nodes[node].body];
  const Eigen::Ref<const VectorX> eta = elastic_part(k, frame.link);
  const FrameDeformation d(link, frame.frame, eta);
  const Mat3 axes = node_pose(k, node).rotation;
  const Vec3 slide = axes * d.slide(body.rate), spin = axes * d.spin(body.rate);
  m.velocity += slide;
  m.acceleration += 2.0 * m.omega.cross(slide) + axes * (d.slide(body.acceleration) + d.slide_bias(body.rate));
  m.alpha += m.omega.cross(spin) + axes * (d.spin(body.acceleration) + d.spin_bias(body.rate));
  m.omega += spin;
  return m;
}

/// A load at a frame: on the node of its link and, when that is elastic, on its coordinates.
template <class S>
void add_frame_load(Kernel<S>& k, FrameRef frame, const Vec3& point, const Vec3& force, const Vec3& moment) {
  const int node = k.compiled.links[frame.link].node;
  add_load(k, node, point, force, moment);
  const LinkData& link = k.compiled.mechanism.links[frame.link];
  if (link.elastic.count() == 0 || node < 0) return;
  BodyState<S>& body = k.bodies[k.tables.nodes[node].body];
  const Eigen::Ref<const VectorX> eta = elastic_part(k, frame.link);
  const FrameDeformation d(link, frame.frame, eta);
  const Mat3 axes = node_pose(k, node).rotation;
  const Vec3 local_force = axes.transpose() * force, local_moment = axes.transpose() * moment;
  for (Eigen::Index j = 0; j < eta.size(); ++j)
    body.load[j] += d.shape(j).dot(local_force) + d.turn(j).dot(local_moment);
}

/// Coordinates of the cut joints (length cut_nq); update_world() must have run.
template <class S>
void cut_coordinates_from_world(const Kernel<S>& k, VectorX& cut_q);

}  // namespace lithe::detail
