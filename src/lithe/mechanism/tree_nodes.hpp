#pragma once
// The spanning tree as nodes: one per elementary motion of a joint and one per elastic link, with the inertias of the
// rigid links that move with them.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// Nodes and elastic bodies of the spanning tree and the place of every link; coordinates have their places already.
void build_nodes(Compiled& c);

/// Adds each link to the inertia of the node that it moves with.
void add_inertias(Compiled& c);

/// The mount at a frame of an elastic link (made when new); -1 on a rigid link.
int mount_at(Compiled& c, FrameRef ref);

/// Pose of a frame in its undeformed link.
inline const Pose& undeformed_pose(const Compiled& c, FrameRef ref) {
  return c.mechanism.links[ref.link].frames[ref.frame].pose;
}

}  // namespace lithe::detail
