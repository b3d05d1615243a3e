#pragma once
// Random trusses, in the plane or in space, that hold together: every new node is braced against two (three) nodes by
// bars in well-spread directions, so without further bars they are statically determinate.

#include <cstdint>
#include <iosfwd>

#include "lithe/links/truss.hpp"

namespace lithe::testing {

/// Same shape, same truss. Made of small numbers so that it shrinks.
struct TrussShape {
  std::uint32_t seed = 0;
  int nodes = 5;       ///< at least 3 in the plane, 4 in space
  int extra_bars = 0;  ///< beyond what statics needs
  bool planar = true;
  bool supported = true;  ///< just held; otherwise floating
  bool lumped = false;
};
std::ostream& operator<<(std::ostream& out, const TrussShape& shape);

/// Nodes "a", "b", ..., with some masses on them; a frame "root" on the first nodes and "tip" on the last ones.
TrussSpec random_truss(const TrussShape& shape);

}  // namespace lithe::testing
