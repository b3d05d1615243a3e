#pragma once
// Cross sections of beams: stiffness and mass per length. Beam axis x; y and z are the principal axes of the section.

#include <array>

#include "lithe/links/strength.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe {

struct Material {
  double young = 0.0;    ///< Pa
  double density = 0.0;  ///< kg/m^3
  double poisson = 0.3;
  Strength strength{};
  double shear() const { return young / (2.0 * (1.0 + poisson)); }
};

/// What a section looks like, for pictures and for stress; the motion does not depend on it.
struct Profile {
  enum class Kind : unsigned char { unknown, rectangle, circle, tube, i };
  Kind kind = Kind::unknown;
  std::array<double, 4> dimensions{};  ///< m, in the order of the arguments of rectangle(), circle(), tube(), i_shape()
  bool operator==(const Profile&) const = default;
};

/// Where a section is given by its stiffness: what makes stress of its forces. Zero: unknown.
struct SectionModuli {
  double area = 0.0;       ///< m^2
  double bending_y = 0.0;  ///< m^3, for deflection along y (moment about z): second moment of area over the distance
  double bending_z = 0.0;  ///< of the farthest fibre; likewise along z
  double torsion = 0.0;    ///< m^3, torque over the largest shear stress

  bool is_given() const { return area > 0 || bending_y > 0 || bending_z > 0 || torsion > 0; }
  bool operator==(const SectionModuli&) const = default;
};

/// Zero stiffness means: this way of deforming is not part of the model (see BeamSpec), not "infinitely soft".
struct Section {
  double mass_per_length = 0.0;           ///< kg/m
  double bending_y = 0.0;                 ///< EI for deflection along y (moment about z), N m^2
  double bending_z = 0.0;                 ///< EI for deflection along z (moment about y), N m^2
  double torsion = 0.0;                   ///< GJ, N m^2
  double axial = 0.0;                     ///< EA, N
  double shear_y = 0.0, shear_z = 0.0;    ///< kappa G A, N; zero: rigid in shear (Euler-Bernoulli)
  double rotary_y = 0.0, rotary_z = 0.0;  ///< second moments of mass per length about y and z, kg m
  double polar = 0.0;                     ///< about x, kg m
  Profile profile;                        ///< where the section was given by its shape
  SectionModuli moduli{};                 ///< where it was not
  Strength strength{};                    ///< of its material

  bool operator==(const Section&) const = default;
};

/// Solid rectangle, `height` along y and `width` along z.
Section rectangle(const Material& material, double height, double width);
/// Solid circle.
Section circle(const Material& material, double radius);
/// Round tube.
Section tube(const Material& material, double outer_radius, double thickness);
/// I shape, web along y, flanges along z.
Section i_shape(const Material& material, double height, double width, double web, double flange);

/// Every quantity interpolated linearly, dimensions of a profile where both have the same kind; `fraction` 0 gives a, 1
/// gives b. The strength is that of the nearer one.
Section interpolate(const Section& a, const Section& b, double fraction);

}  // namespace lithe
