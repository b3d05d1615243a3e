#pragma once
// From the forces in a cross section to the stress on its outline.
//
// On the outline the shear stress runs along it (the surface is free), so a point of it has one normal and one shear
// stress, both linear in the six section forces. Where stress can be largest there is such a point, a fibre.

#include <array>
#include <vector>

#include "lithe/links/section.hpp"

namespace lithe {

/// Stress in a fibre per unit of N, Q_y, Q_z (Pa/N), M_x, M_y, M_z (Pa/(N m)). N, M_y and M_z make normal stress along
/// the axis, Q_y, Q_z and M_x shear.
struct Fibre {
  std::array<double, 6> per_force{};

  /// `forces`: N, Q_y, Q_z, M_x, M_y, M_z.
  template <class Forces>
  double normal(const Forces& forces) const {
    return per_force[0] * forces[0] + per_force[4] * forces[4] + per_force[5] * forces[5];
  }
  template <class Forces>
  double shear(const Forces& forces) const {
    return per_force[1] * forces[1] + per_force[2] * forces[2] + per_force[3] * forces[3];
  }
};

struct StressSection {
  std::vector<Fibre> fibres;
  Strength strength;
};

/// The fibres of a section: sampled around the outline of rectangles, circles and tubes, at the tips and along the web
/// of I shapes, and the four sign combinations of a section that is given by its moduli. Torsion is Saint-Venant's, of
/// I shapes that of thin walls; warping that is hindered is left out. None for a section of which only stiffness is
/// known.
StressSection stress_section(const Section& section);

/// A bar under axial force; `area` in m^2, without fibres when that is zero.
StressSection stress_section_of_bar(double area, const Strength& strength);

}  // namespace lithe
