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

template <class S>
Pose frame_pose(const Kernel<S>& k, FrameRef frame) {
  const LinkPlace& place = k.compiled.links[frame.link];
  return node_pose(k, place.node) * place.pose * k.compiled.mechanism.links[frame.link].frames[frame.frame].pose;
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
  return m;
}

/// Coordinates of the cut joints (length cut_nq); update_world() must have run.
template <class S>
void cut_coordinates_from_world(const Kernel<S>& k, VectorX& cut_q);

}  // namespace lithe::detail
