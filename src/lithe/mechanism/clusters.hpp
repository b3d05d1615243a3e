#pragma once
// Which nodes move together: those of loops and couplings that share a joint make one cluster, every other node is one
// by itself.
// Clusters form a tree, so recursions can go from cluster to cluster as they go from node to node.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// Fills tables.clusters; nodes, cuts and ties are there already.
template <class S>
void find_clusters(Tables<S>& tables);

}  // namespace lithe::detail
