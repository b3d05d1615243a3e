#pragma once
// Numbers of one link of a model, by name.
//
//   mass  centre.x  first-moment.x           kg, m, kg m; link axes, about the link origin
//   inertia.zz  origin-inertia.zz            about the mass centre, about the link origin (kg m^2)
//   coordinates                              how many elastic ones there are
//   eigenvalue.N  omega.N  frequency.N       of mode N, from 1: square of rad/s, rad/s, Hz
//   shape.N.FRAME.x  turn.N.FRAME.z          displacement and rotation of a frame per unit of elastic coordinate N
//   translation.N.x  rotation.N.z            int Phi, int x cross Phi
//   position-shape.N.xy  shape-shape.N.M.xy  int x Phi_y, int Phi_x^T Phi_y
//   mass-matrix.N.M  stiffness.N.M  damping.N.M
//   force.N.PLACE.axial                      section force per unit of coordinate N; also shear-y, shear-z, torsion,
//                                            moment-y, moment-z

#include <optional>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe::reproduce {

class LinkQuantities {
 public:
  /// Throws CaseError when the model has no such link.
  LinkQuantities(const Model& model, const std::string& link);

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name) const;

 private:
  const LinkData& link_;
};

/// A mode has no sign of its own: numbers that change sign with a mode are taken with the sign that the largest
/// expected one among them has. Nothing for a number that does not change sign with one mode; otherwise the number of
/// the mode.
std::optional<int> mode_that_signs(const std::string& quantity);

}  // namespace lithe::reproduce
