#pragma once
// Links with more shapes than they will keep.

#include <memory>

#include "lithe/analysis/link_recipe.hpp"
#include "lithe/analysis/reference_choice.hpp"
#include "lithe/analysis/shape_choice.hpp"

namespace lithe::detail {

/// A link on its reference with a rich basis: natural modes, then what its static shapes hold beyond them.
struct RichLink {
  const LinkRecipe* given = nullptr;
  ReferenceChoice reference;
  std::shared_ptr<const ElasticModel> held;  ///< links that are equal share it
  Reduction basis;
  LinkData data;  ///< in the coordinates of the basis
  int modes = 0;  ///< natural ones, first in the basis
  int group = 0;  ///< links that are alike
};

/// The rich links of a mechanism, equal ones computed once. `up_to`: frequencies (Hz) that they must reach, or 0.
std::vector<RichLink> rich_links(const Mechanism& mechanism, const std::vector<LinkRecipe>& links, double up_to);

/// Leaves only shapes within the plane with this normal (ground axes); `turned` gives the axes of each link. False,
/// and nothing done, when some shape of a link moves both in the plane and out of it, or a link has none in it.
bool keep_to_plane(std::vector<RichLink>& links, const Vec3& normal, const std::vector<Mat3>& turned);

}  // namespace lithe::detail
