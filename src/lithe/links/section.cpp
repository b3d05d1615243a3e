#include "lithe/links/section.hpp"

#include "lithe/links/profile_areas.hpp"

namespace lithe {

namespace {

Section from_profile(const Material& m, const Profile& profile, double shear_factor_y, double shear_factor_z) {
  const detail::ProfileAreas s = detail::areas_of(profile);
  Section section;
  section.profile = profile;
  section.mass_per_length = m.density * s.area;
  section.bending_y = m.young * s.about_z;
  section.bending_z = m.young * s.about_y;
  section.torsion = m.shear() * s.torsion;
  section.axial = m.young * s.area;
  section.shear_y = shear_factor_y * m.shear() * s.area;
  section.shear_z = shear_factor_z * m.shear() * s.area;
  section.rotary_y = m.density * s.about_y;
  section.rotary_z = m.density * s.about_z;
  section.polar = section.rotary_y + section.rotary_z;
  section.strength = m.strength;
  return section;
}

}  // namespace

Section rectangle(const Material& material, double height, double width) {
  return from_profile(material, {Profile::Kind::rectangle, {height, width}}, 5.0 / 6.0, 5.0 / 6.0);
}

Section circle(const Material& material, double radius) {
  return from_profile(material, {Profile::Kind::circle, {radius}}, 0.9, 0.9);
}

Section tube(const Material& material, double outer_radius, double thickness) {
  // Cowper's factor of a hollow circle.
  const double nu = material.poisson, m = (outer_radius - thickness) / outer_radius, m2 = (1 + m * m) * (1 + m * m);
  const double factor = 6 * (1 + nu) * m2 / ((7 + 6 * nu) * m2 + (20 + 12 * nu) * m * m);
  return from_profile(material, {Profile::Kind::tube, {outer_radius, thickness}}, factor, factor);
}

Section i_shape(const Material& material, double height, double width, double web, double flange) {
  // The web carries the shear along y, the flanges that along z.
  const double clear = height - 2 * flange, flanges = 2 * width * flange, area = flanges + clear * web;
  return from_profile(material, {Profile::Kind::i, {height, width, web, flange}}, clear * web / area,
                      5.0 / 6.0 * flanges / area);
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
          profile,
          {mix(a.moduli.area, b.moduli.area), mix(a.moduli.bending_y, b.moduli.bending_y),
           mix(a.moduli.bending_z, b.moduli.bending_z), mix(a.moduli.torsion, b.moduli.torsion)},
          fraction < 0.5 ? a.strength : b.strength};
}

}  // namespace lithe
