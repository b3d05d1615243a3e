#pragma once
// What a node needs from the joint that holds it, taken along the speeds of that joint and on to the node that carries
// it. Wrenches are a container with a `force` and a `moment` per node, at the node origin and in node axes.

#include "lithe/dynamics/elastic_body.hpp"

namespace lithe::detail {

/// What the wrench on node i does along the speeds of the node. Elastic speeds have got the share of the link itself
/// before, and that of the nodes on its mounts.
template <class S, class Wrench>
void take_along_speeds(const Kernel<S>& k, std::size_t i, const Wrench& wrench, VectorX& force) {
  const Node<S>& node = k.tables.nodes[i];
  switch (node.kind) {
    case NodeKind::revolute:
      force[node.v] = S::along_turn(wrench.moment, node.sign);
      break;
    case NodeKind::prismatic:
      force[node.v] = S::along_slide(wrench.force);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) force.segment<3>(node.v) = k.spherical_axes[i].transpose() * wrench.moment;
      break;
    case NodeKind::elastic:
      if (node.inboard >= 0) add_mount_force(k, node.inboard, wrench.force, wrench.moment, -1.0, force);
      break;
    case NodeKind::fixed:
      break;
  }
}

/// Adds the wrench on node i to that on its parent; an elastic parent also feels it through its mount.
template <class S, class Wrenches>
void hand_to_parent(const Kernel<S>& k, std::size_t i, Wrenches& wrenches, VectorX& force) {
  const Node<S>& node = k.tables.nodes[i];
  const NodeState<S>& s = k.nodes[i];
  const typename S::Linear carried = S::turn(s.rotation, wrenches[i].force);
  const typename S::Angular moment = S::turn_angular(s.rotation, wrenches[i].moment) + S::moment(s.position, carried);
  wrenches[node.parent].force += carried;
  wrenches[node.parent].moment += moment;
  if (node.mount >= 0) add_mount_force(k, node.mount, carried, moment, 1.0, force);
}

}  // namespace lithe::detail
