#include "lithe/links/beam_element.hpp"

namespace lithe::detail {

namespace {

/// Values at the two nodes of (deflection, slope-like rotation): weights of (v1, r1, v2, r2).
using Four = Eigen::RowVector4d;

Four deflection(double x, double l, double phi) {
  const double c = 1.0 / (1.0 + phi);
  return c * Four(1 - 3 * x * x + 2 * x * x * x + phi * (1 - x),
                  l * (x - 2 * x * x + x * x * x + phi / 2 * (x - x * x)), 3 * x * x - 2 * x * x * x + phi * x,
                  l * (-x * x + x * x * x - phi / 2 * (x - x * x)));
}

Four deflection_slope(double x, double l, double phi) {
  const double c = 1.0 / (1.0 + phi) / l;
  return c * Four(-6 * x + 6 * x * x - phi, l * (1 - 4 * x + 3 * x * x + phi / 2 * (1 - 2 * x)),
                  6 * x - 6 * x * x + phi, l * (-2 * x + 3 * x * x - phi / 2 * (1 - 2 * x)));
}

Four section_rotation(double x, double l, double phi) {
  const double c = 1.0 / (1.0 + phi);
  return c * Four(6 / l * (x * x - x), 1 - 4 * x + 3 * x * x + phi * (1 - x), 6 / l * (x - x * x),
                  -2 * x + 3 * x * x + phi * x);
}

Four section_curvature(double x, double l, double phi) {
  const double c = 1.0 / (1.0 + phi) / l;
  return c * Four(6 / l * (2 * x - 1), -4 + 6 * x - phi, 6 / l * (1 - 2 * x), -2 + 6 * x + phi);
}

/// Places the weights for deflection along y: (v, rotation about z).
ShapeRow along_y(const Four& f) {
  ShapeRow row = ShapeRow::Zero();
  row[1] = f[0], row[5] = f[1], row[7] = f[2], row[11] = f[3];
  return row;
}

/// For deflection along z the slope is minus the rotation about y.
ShapeRow along_z(const Four& f) {
  ShapeRow row = ShapeRow::Zero();
  row[2] = f[0], row[4] = -f[1], row[8] = f[2], row[10] = -f[3];
  return row;
}

ShapeRow linear(int first, double at_first, double at_second) {
  ShapeRow row = ShapeRow::Zero();
  row[first] = at_first, row[first + 6] = at_second;
  return row;
}

}  // namespace

Shape BeamElement::displacement(double xi) const {
  Shape shape;
  shape << linear(0, 1 - xi, xi), along_y(deflection(xi, length, phi_y)), along_z(deflection(xi, length, phi_z));
  return shape;
}

Shape BeamElement::rotation(double xi) const {
  Shape shape;
  shape << linear(3, 1 - xi, xi), -along_z(section_rotation(xi, length, phi_z)),
      along_y(section_rotation(xi, length, phi_y));
  return shape;
}

ShapeRow BeamElement::slope_y(double xi) const { return along_y(deflection_slope(xi, length, phi_y)); }
ShapeRow BeamElement::slope_z(double xi) const { return along_z(deflection_slope(xi, length, phi_z)); }
ShapeRow BeamElement::curvature_y(double xi) const { return along_y(section_curvature(xi, length, phi_y)); }
ShapeRow BeamElement::curvature_z(double xi) const { return along_z(section_curvature(xi, length, phi_z)); }

ShapeRow BeamElement::shear_y() const {
  return along_y(deflection_slope(0.5, length, phi_y) - section_rotation(0.5, length, phi_y));
}
ShapeRow BeamElement::shear_z() const {
  return along_z(deflection_slope(0.5, length, phi_z) - section_rotation(0.5, length, phi_z));
}
ShapeRow BeamElement::twist() const { return linear(3, -1 / length, 1 / length); }
ShapeRow BeamElement::stretch() const { return linear(0, -1 / length, 1 / length); }

}  // namespace lithe::detail
