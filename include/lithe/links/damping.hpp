#pragma once
// Damping of elastic links.

#include <vector>

#include "lithe/links/link_data.hpp"

namespace lithe {

/// All parts add up.
struct Damping {
  double ratio = 0.0;             ///< of critical damping, every mode
  std::vector<double> ratios;     ///< per modal coordinate, in place of `ratio`; of coupled coordinates: per mode
  double mass_factor = 0.0;       ///< Rayleigh: alpha (1/s) times mass
  double stiffness_factor = 0.0;  ///< Rayleigh, and Kelvin-Voigt: beta (s) times stiffness
  double loss_factor = 0.0;  ///< complex modulus E (1 + i loss): the viscous damping equal at each natural frequency
  bool operator==(const Damping&) const = default;
};

/// Sets D_e of `link`. Throws MechanismError naming the link for negative values or a wrong number of ratios.
void set_damping(LinkData& link, const Damping& damping);

}  // namespace lithe
