#pragma once
// The cut joints: closure equations, free directions, and the nodes on whose motion they depend.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// Closures of all cut joints; the nodes of the tree are there already.
void build_cuts(Compiled& c);

}  // namespace lithe::detail
