#pragma once
// A straight beam in global shapes (Ritz): from the fields of the shapes to an ElasticModel. Assumed modes and Bezier
// beams differ only in their fields.

#include "lithe/links/straight_beam.hpp"

namespace lithe::detail {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Fields at one place of the beam, one column per coordinate, in section axes (x along the beam).
struct RitzFields {
  explicit RitzFields(int count);

  Matrix3X displacement, rotation;
  Eigen::RowVectorXd slope_y, slope_z;  ///< of the axis: dv/ds, dw/ds
  Matrix6X strain;       ///< stretch, shear y, shear z, twist, d(rotation about y)/ds, d(rotation about z)/ds
  Matrix6X strain_rate;  ///< its derivative along the beam; only the last two rows are used
};

struct RitzShapes {
  std::vector<std::string> names;  ///< of the coordinates
  std::function<RitzFields(double s)> at;
  int gauss_points = 16;      ///< per panel
  double panel_length = 0.0;  ///< longest piece of beam that so many points integrate; 0: the whole beam
  bool free_shear = false;    ///< shear is a strain of its own; otherwise the shear force balances the moment
};

/// Throws MechanismError naming `link`; sections and motions must have been checked.
ElasticModel ritz_model(const std::string& link, const StraightBeam& beam, RitzShapes shapes);

/// Throws MechanismError naming `link` for a length that is not positive, and lumps or frames off the beam.
void check_straight(const std::string& link, const StraightBeam& beam);

}  // namespace lithe::detail
