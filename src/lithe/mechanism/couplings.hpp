#pragma once
// Couplings as closure equations of the tree.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// The node that has tree speed v.
int node_of_speed(const Compiled& c, int v);

/// The couplings of the mechanism in the spatial tables; nodes, cuts and speed scales are there already.
void build_ties(Compiled& c);

/// Takes over ties from other tables: the same equations, behind the closures of these.
template <class S>
void add_ties(Tables<S>& tables, const std::vector<Tie>& ties);

}  // namespace lithe::detail
