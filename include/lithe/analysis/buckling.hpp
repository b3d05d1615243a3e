#pragma once
// Buckling loads of elastic links, on the reference that their joints imply.

#include <vector>

#include "lithe/analysis/link_recipe.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

/// Fills LinkOrigin::buckling_load: a strut between two pins carries what Euler says of it (pi^2 EI/L^2), whatever
/// shapes were chosen for its motion. `origins`: one per link of the mechanism.
void find_buckling_loads(const Mechanism& mechanism, const std::vector<LinkRecipe>& links,
                         std::vector<LinkOrigin>& origins);

}  // namespace lithe
