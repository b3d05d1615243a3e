#pragma once
// Buckling loads of elastic links, on the reference that their joints imply.

#include <vector>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

/// An elastic link of the mechanism as its kind has read it.
struct ReadLink {
  int link = 0;
  ElasticBody body;
};

/// Fills LinkOrigin::buckling_load: a strut between two pins carries what Euler says of it (pi^2 EI/L^2), whatever
/// shapes were chosen for its motion.
void find_buckling_loads(Model& model, const std::vector<ReadLink>& links);

}  // namespace lithe::io
