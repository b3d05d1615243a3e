#pragma once
// Assumed modes: an Euler-Bernoulli beam that deforms in given shapes. The coordinates are the amplitudes of the
// shapes. Shapes of closed form are natural modes of the uniform beam; with other sections they stay admissible shapes
// (Ritz), and mass and stiffness are integrated with the true ones.

#include <optional>

#include "lithe/links/mode_functions.hpp"
#include "lithe/links/straight_beam.hpp"

namespace lithe {

/// Shapes of one way of deforming: `count` of a family, then polynomials.
template <class Family>
struct AssumedShapes {
  Family family{};
  int count = 0;
  /// Coefficients c of the shape sum c_k (s/L)^k, lowest power first. It must meet the supports of the link.
  std::vector<std::vector<double>> polynomials{};
  bool empty() const { return count == 0 && polynomials.empty(); }
};

struct AssumedModesSpec {
  StraightBeam beam;
  AssumedShapes<BendingFamily> along_y, along_z;  ///< deflection along the section's y and z
  AssumedShapes<BarFamily> torsion;               ///< rotation about the axis (rad per unit of amplitude)
  AssumedShapes<BarFamily> stretching;            ///< displacement along the axis
};

/// Payload families take the lumps that stand at the tip. Shear compliance of the sections is not used (see
/// bezier_beam.hpp and beam.hpp for Timoshenko beams). Throws MechanismError naming `link` for zero length, sections
/// without the stiffness that a shape needs, and shapes of which a combination does not strain the beam.
ElasticModel assumed_modes_model(const std::string& link, const AssumedModesSpec& spec);

}  // namespace lithe
