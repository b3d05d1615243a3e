#include "lithe/links/section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe {

namespace {

/// Geometry of a section: area, second moments of area, torsion constant, shear factors.
struct Shape {
  double area, about_y, about_z, torsion, shear_y, shear_z;
};

Section from_shape(const Material& m, const Shape& s, const Profile& profile) {
  Section section;
  section.profile = profile;
  section.mass_per_length = m.density * s.area;
  section.bending_y = m.young * s.about_z;
  section.bending_z = m.young * s.about_y;
  section.torsion = m.shear() * s.torsion;
  section.axial = m.young * s.area;
  section.shear_y = s.shear_y * m.shear() * s.area;
  section.shear_z = s.shear_z * m.shear() * s.area;
  section.rotary_y = m.density * s.about_y;
  section.rotary_z = m.density * s.about_z;
  section.polar = section.rotary_y + section.rotary_z;
  return section;
}

/// Torsion constant of a solid rectangle: Saint-Venant's series, long side a, short side b.
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0.0;
  for (int n = 1; n <= 59; n += 2) sum += std::tanh(n * std::numbers::pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3.0 - 64.0 * b / (std::pow(std::numbers::pi, 5) * a) * sum);
}

}  // namespace

Section rectangle(const Material& material, double height, double width) {
  const double area = height * width;
  return from_shape(material,
                    {area, height * std::pow(width, 3) / 12, width * std::pow(height, 3) / 12,
                     rectangle_torsion(height, width), 5.0 / 6.0, 5.0 / 6.0},
                    {Profile::Kind::rectangle, {height, width}});
}

Section circle(const Material& material, double radius) {
  const double area = std::numbers::pi * radius * radius, second = std::numbers::pi * std::pow(radius, 4) / 4;
  return from_shape(material, {area, second, second, 2 * second, 0.9, 0.9}, {Profile::Kind::circle, {radius}});
}

Section tube(const Material& material, double outer_radius, double thickness) {
  const double inner = outer_radius - thickness;
  const double area = std::numbers::pi * (outer_radius * outer_radius - inner * inner);
  const double second = std::numbers::pi * (std::pow(outer_radius, 4) - std::pow(inner, 4)) / 4;
  // Cowper's factor of a hollow circle.
  const double nu = material.poisson, m = inner / outer_radius, m2 = (1 + m * m) * (1 + m * m);
  const double factor = 6 * (1 + nu) * m2 / ((7 + 6 * nu) * m2 + (20 + 12 * nu) * m * m);
  return from_shape(material, {area, second, second, 2 * second, factor, factor},
                    {Profile::Kind::tube, {outer_radius, thickness}});
}

Section i_shape(const Material& material, double height, double width, double web, double flange) {
  const double clear = height - 2 * flange;
  const double area = 2 * width * flange + clear * web;
  const double about_z = (width * std::pow(height, 3) - (width - web) * std::pow(clear, 3)) / 12;
  const double about_y = (2 * flange * std::pow(width, 3) + clear * std::pow(web, 3)) / 12;
  // Thin-walled torsion; the web carries the shear along y, the flanges that along z.
  const double torsion = (2 * width * std::pow(flange, 3) + clear * std::pow(web, 3)) / 3;
  return from_shape(material,
                    {area, about_y, about_z, torsion, clear * web / area, 5.0 / 6.0 * 2 * width * flange / area},
                    {Profile::Kind::i, {height, width, web, flange}});
}

Section interpolate(const Section& a, const Section& b, double fraction) {
  const auto mix = [fraction](double x, double y) { return x + (y - x) * fraction; };
  Profile profile;
  if (a.profile.kind == b.profile.kind) {
    profile.kind = a.profile.kind;
    for (std::size_t i = 0; i < profile.dimensions.size(); ++i)
      profile.dimensions[i] = mix(a.profile.dimensions[i], b.profile.dimensions[i]);
  }
  return {mix(a.mass_per_length, b.mass_per_length),
          mix(a.bending_y, b.bending_y),
          mix(a.bending_z, b.bending_z),
          mix(a.torsion, b.torsion),
          mix(a.axial, b.axial),
          mix(a.shear_y, b.shear_y),
          mix(a.shear_z, b.shear_z),
          mix(a.rotary_y, b.rotary_y),
          mix(a.rotary_z, b.rotary_z),
          mix(a.polar, b.polar),
          profile};
}

}  // namespace lithe
