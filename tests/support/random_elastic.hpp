#pragma once
// Makes links of a random mechanism elastic: random lumps of mass with random shape functions, which is more general
// than any beam. The assembled pose stays known: frames are moved so that they stand where they stood once the link is
// bent by known, non-zero elastic coordinates.

#include "support/random_mechanism.hpp"

namespace lithe::testing {

/// Bends about half of the links. `plane_normal`: ground axes; zero when the mechanism moves in space.
void bend_links(RandomMechanism& random, std::uint32_t seed, const Vec3& plane_normal, bool damped);

}  // namespace lithe::testing
