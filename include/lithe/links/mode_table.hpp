#pragma once
// The natural modes that a link has in its own coordinates, and how much of its mass moves with each.

#include <string>
#include <vector>

#include "lithe/links/link_data.hpp"

namespace lithe {

struct LinkMode {
  std::string name;                      ///< "bending y 1", ...
  double frequency = 0.0;                ///< Hz, of the link by itself on its reference
  double damping = 0.0;                  ///< ratio of critical
  Vec3 mass_fraction = Vec3::Zero();     ///< effective mass along x, y, z of the link over its mass
  Vec3 inertia_fraction = Vec3::Zero();  ///< effective inertia about x, y, z through the link origin over its inertia
  VectorX shape;                         ///< in the elastic coordinates, mass-normalised
};

/// Ascending by frequency. A link whose coordinates are modes gets those, with their names; any other basis (static
/// shapes, finite-element coordinates) gets the modes that it can represent. Empty for a rigid link.
std::vector<LinkMode> mode_table(const LinkData& link);

}  // namespace lithe
