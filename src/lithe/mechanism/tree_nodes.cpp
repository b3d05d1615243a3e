#include "lithe/mechanism/tree_nodes.hpp"

#include <algorithm>
#include <utility>

#include "lithe/mechanism/elastic_tables.hpp"

namespace lithe::detail {
namespace {

/// One elementary motion of a joint: which of its speeds, about or along which axis of the joint frame.
struct Elementary {
  NodeKind kind;
  int speed;
  Vec3 axis;
};

/// The elementary motions of a joint in the order from parent to child.
std::vector<Elementary> elementary_motions(const Joint& joint, bool reversed) {
  const JointFacts& facts = joint.facts();
  std::vector<Elementary> motions;
  for (int k = 0; k < facts.scalars(); ++k) {
    const JointSpeed& speed = facts.speed[k];
    motions.push_back({speed.is_distance() ? NodeKind::prismatic : NodeKind::revolute, k, joint.direction_of(speed)});
  }
  if (facts.has_quaternion()) motions.push_back({NodeKind::spherical, facts.scalars(), Vec3::UnitZ()});
  if (reversed) {
    // Seen from the to-link the same motions happen in the opposite order and against their axes.
    std::reverse(motions.begin(), motions.end());
    for (Elementary& motion : motions)
      if (motion.kind != NodeKind::spherical) motion.axis = -motion.axis;
  }
  return motions;
}

bool moves(const Frame& frame) { return frame.shape.norm() + frame.turn.norm() > 0.0; }

Node<Spatial>& add_node(Compiled& c, NodeKind kind, int parent, int mount, const Pose& base) {
  Node<Spatial> node;
  node.kind = kind;
  node.parent = parent;
  node.mount = mount;
  node.base_rotation = base.rotation;
  node.base_position = base.position;
  if (mount >= 0) node.base_position -= c.spatial.mounts[mount].position;
  node.second.setZero();
  c.spatial.nodes.push_back(node);
  return c.spatial.nodes.back();
}

/// Node of the elastic link `link`, held at its frame `far`, which stands at `at`.
LinkPlace add_elastic_node(Compiled& c, int link, FrameRef far, const LinkPlace& at, int mount) {
  const ElasticPlace& place = c.elastic[link];
  const int index = static_cast<int>(c.spatial.nodes.size()), body = static_cast<int>(c.spatial.bodies.size());
  const Pose turned = at.pose * Pose{undeformed_pose(c, far).rotation.transpose(), Vec3::Zero()};
  Node<Spatial>& node = add_node(c, NodeKind::elastic, at.node, mount, turned);
  node.q = place.q;
  node.v = place.v;
  node.nv = place.count;
  node.body = body;
  c.spatial.bodies.push_back(elastic_body<Spatial>(c.mechanism.links[link], Mat3::Identity()));
  ElasticBody<Spatial>& data = c.spatial.bodies.back();
  data.node = index;
  data.link = link;
  data.q = place.q;
  data.v = place.v;
  c.links[link] = {index, Pose{}};
  if (moves(c.mechanism.links[link].frames[far.frame]))
    node.inboard = mount_at(c, far);
  else
    node.base_position -= turned.rotation * undeformed_pose(c, far).position;
  return {index, Pose{}};
}

}  // namespace

void build_nodes(Compiled& c) {
  c.links.assign(c.mechanism.links.size(), LinkPlace{});
  for (const TreeEdge& edge : c.tree.edges) {
    const Joint& joint = c.mechanism.joints[edge.joint];
    const FrameRef near = edge.reversed ? joint.to : joint.from, far = edge.reversed ? joint.from : joint.to;
    LinkPlace at = c.links[edge.parent];
    at.pose = at.pose * undeformed_pose(c, near);
    int mount = mount_at(c, near);
    const JointPlace& place = c.places[edge.joint];
    for (const Elementary& motion : elementary_motions(joint, edge.reversed)) {
      const Pose aligned{frame_with_z(motion.axis), Vec3::Zero()};
      Node<Spatial>& node = add_node(c, motion.kind, at.node, std::exchange(mount, -1), at.pose * aligned);
      node.reversed = edge.reversed;
      node.q = place.q + motion.speed;
      node.v = place.v + motion.speed;
      node.nv = motion.kind == NodeKind::spherical ? 3 : 1;
      at = {static_cast<int>(c.spatial.nodes.size()) - 1, aligned.inverse()};
    }
    if (c.mechanism.links[edge.child].elastic.count() > 0) {
      c.links[edge.child] = add_elastic_node(c, edge.child, far, at, mount);
      continue;
    }
    if (mount >= 0) {  // welded to an elastic link
      add_node(c, NodeKind::fixed, at.node, mount, at.pose).nv = 0;
      at = {static_cast<int>(c.spatial.nodes.size()) - 1, Pose{}};
    }
    at.pose = at.pose * undeformed_pose(c, far).inverse();
    c.links[edge.child] = at;
  }
}

int mount_at(Compiled& c, FrameRef ref) {
  const LinkPlace& place = c.links[ref.link];
  const LinkData& link = c.mechanism.links[ref.link];
  if (link.elastic.count() == 0 || place.node < 0) return -1;
  const int body = c.spatial.nodes[place.node].body;
  for (int mount : c.spatial.bodies[body].mounts)
    if (c.spatial.mounts[mount].frame == ref.frame) return mount;
  c.spatial.mounts.push_back(elastic_mount<Spatial>(link, ref.frame, Mat3::Identity()));
  c.spatial.mounts.back().body = body;
  c.spatial.bodies[body].mounts.push_back(static_cast<int>(c.spatial.mounts.size()) - 1);
  return c.spatial.bodies[body].mounts.back();
}

void add_inertias(Compiled& c) {
  for (std::size_t i = 1; i < c.mechanism.links.size(); ++i) {
    const LinkData& link = c.mechanism.links[i];
    const LinkPlace& place = c.links[i];
    if (place.node < 0) continue;  // fixed to the ground
    Node<Spatial>& node = c.spatial.nodes[place.node];
    const Vec3 centre = place.pose * link.centre;
    const Mat3 cross = skew(centre);
    node.mass += link.mass;
    node.first += link.mass * centre;
    node.second += place.pose.rotation * link.inertia * place.pose.rotation.transpose() - link.mass * cross * cross;
  }
}

}  // namespace lithe::detail
