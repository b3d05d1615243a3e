#pragma once
// One straight beam element between two nodes, in its own axes: x along the element, y and z along the section axes.
// Coordinates: (u, v, w, rotation about x, y, z) of the first node, then of the second.

#include "lithe/links/section.hpp"

namespace lithe::detail {

using Shape = Eigen::Matrix<double, 3, 12>;
using ShapeRow = Eigen::Matrix<double, 1, 12>;
using ElementMatrix = Eigen::Matrix<double, 12, 12>;

/// Displacement, rotation and strain fields of the element at xi in [0, 1]. The interpolation of bending solves the
/// static Timoshenko equations of a uniform element (Phi = 12 EI / (kappa G A l^2)); Phi = 0 gives Hermite cubics.
struct BeamElement {
  double length = 1.0;
  double phi_y = 0.0, phi_z = 0.0;  ///< shear parameter for deflection along y and z

  Shape displacement(double xi) const;
  Shape rotation(double xi) const;
  ShapeRow slope_y(double xi) const;      ///< dv/dx
  ShapeRow slope_z(double xi) const;      ///< dw/dx
  ShapeRow curvature_y(double xi) const;  ///< d(rotation about z)/dx
  ShapeRow curvature_z(double xi) const;  ///< -d(rotation about y)/dx
  ShapeRow shear_y() const;               ///< dv/dx - rotation about z, constant
  ShapeRow shear_z() const;               ///< dw/dx + rotation about y, constant
  ShapeRow twist() const;
  ShapeRow stretch() const;
};

}  // namespace lithe::detail
