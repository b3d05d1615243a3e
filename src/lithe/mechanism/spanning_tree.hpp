#pragma once
// Which joints stay in the tree and which are cut to open the loops.

#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// One tree joint, in an order in which a link's parent comes before it.
struct TreeEdge {
  int joint = 0;
  int parent = 0;         ///< link
  int child = 0;          ///< link
  bool reversed = false;  ///< the child is the from-link of the joint
};

struct SpanningTree {
  std::vector<TreeEdge> edges;          ///< depth first, so that each leg is contiguous
  std::vector<int> cuts;                ///< joints outside the tree, ascending
  std::vector<std::vector<int>> loops;  ///< per cut: the tree joints that close the loop with it, and the cut last
};

/// Breadth first from the ground (shallow, balanced trees), then exchanged so that actuated, fixed and sprung joints
/// stay in the tree and joints with many freedoms are cut; those with an armature or in a coupling always stay. Joints
/// marked `cut` are cut; throws MechanismError when that leaves a link hanging on nothing, or cannot be. `root_joint`, if any, goes from the ground and is taken into the tree before all
/// others.
SpanningTree build_spanning_tree(const Mechanism& mechanism, int root_joint = -1);

}  // namespace lithe::detail
