#pragma once
// M^-1 on the loops' freedoms in linear time: the articulated recursion from cluster to cluster.
//
// A cluster is a joint, an elastic link, or loops that share joints. What it carries is known by inertias that give way
// to forces already; its own freedoms y (of an elastic link the coordinates, of loops the independent speeds, with
// N = [K; 1] for the others) are eliminated from
//
//   wrench on the carrier = I A + W y'' - p,   N^T f = G y'' + W^T A - ...,
//
// which leaves I - W G^-1 W^T for the carrier to feel. Outwards, y'' = G^-1 (N^T f - W^T A).

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Accelerations that forces on the tree speeds cause on their own, all else being at rest: N (N^T M N)^-1 N^T force,
/// prescribed speeds held. Needs positions and complement.
template <class S>
Status cluster_accelerations(Kernel<S>& k, const typename S::Vector& force, typename S::Vector& a);

/// Is the sweep faster than the dense matrix of this mechanism?
template <class S>
bool prefers_clusters(const Kernel<S>& k);

}  // namespace lithe::detail
