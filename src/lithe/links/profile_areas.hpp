#pragma once
// Area, second moments of area and torsion constant of the shapes that a cross section can have.

#include "lithe/links/section.hpp"

namespace lithe::detail {

struct ProfileAreas {
  double area = 0.0;                    ///< m^2
  double about_y = 0.0, about_z = 0.0;  ///< m^4, about the axes y and z
  double torsion = 0.0;                 ///< m^4, Saint-Venant's constant
};

/// All zero for an unknown profile.
ProfileAreas areas_of(const Profile& profile);

}  // namespace lithe::detail
