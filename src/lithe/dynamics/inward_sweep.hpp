#pragma once
// What a node needs from the joint that holds it, taken along the speeds of that joint and on to the node that carries
// it. Wrenches have a `force` and a `moment` per node, at the node origin and in node axes.

#include "lithe/dynamics/elastic_body.hpp"

namespace lithe::detail {

/// Writes what the wrench on node i does along the speeds of the node; elastic speeds have got the share of the link
/// itself before, and that of the nodes on its mounts. Unless node i is where the sweep ends, its wrench is then added
/// to that on its parent; an elastic parent also feels it through its mount.
template <class S, class Wrench>
inline void take_inwards(const Kernel<S>& k, std::size_t i, bool ends, Wrench* wrenches, typename S::Vector& force) {
  const NodeTable<S>& node = k.tables.nodes[i];
  const Wrench& own = wrenches[i];
  switch (node.kind) {
    case NodeKind::revolute:
      force[node.v] = S::along_turn(own.moment, node.sign);
      break;
    case NodeKind::prismatic:
      force[node.v] = S::along_slide(own.force);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) force.template segment<3>(node.v) = k.spherical_axes[i].transpose() * own.moment;
      break;
    case NodeKind::elastic:
      if (node.inboard >= 0) add_mount_force(k, node.inboard, own.force, own.moment, -1.0, force);
      break;
    case NodeKind::fixed:
      break;
  }
  if (ends || node.parent < 0) return;
  const NodeState<S>& s = k.nodes[i];
  Wrench& parent = wrenches[node.parent];
  const typename S::Linear carried = S::turn(s.rotation, own.force);
  const typename S::Angular moment = S::turn_angular(s.rotation, own.moment) + S::moment(s.position, carried);
  parent.force += carried;
  parent.moment += moment;
  if (node.mount >= 0) add_mount_force(k, node.mount, carried, moment, 1.0, force);
}

}  // namespace lithe::detail
