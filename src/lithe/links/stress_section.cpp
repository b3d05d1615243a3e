#include "lithe/links/stress_section.hpp"

#include <cmath>
#include <numbers>

#include "lithe/links/profile_areas.hpp"

namespace lithe {

namespace {

using detail::ProfileAreas;

constexpr int round_fibres = 36;  ///< bending between two of them is seen within 1 - cos(5 deg) = 0.4 percent
constexpr int side_pieces = 4;    ///< fibres at the corners of a rectangle, and at these parts of its sides

/// Normal stress at (y, z): N/A + M_y z/I_y - M_z y/I_z; shear along the outline per unit of Q_y, Q_z, M_x.
Fibre fibre_at(const ProfileAreas& s, double y, double z, double shear_y, double shear_z, double torsion) {
  return {{1.0 / s.area, shear_y, shear_z, torsion, z / s.about_y, -y / s.about_z}};
}

/// Circle (inner radius zero) and tube. Shear of a transverse force by the first moment of half the ring; along the
/// outline it falls off with the sine of the angle from the force.
std::vector<Fibre> round_outline(const ProfileAreas& s, double outer, double inner) {
  const double transverse =
      4.0 / (3.0 * s.area) * (outer * outer + outer * inner + inner * inner) / (outer * outer + inner * inner);
  std::vector<Fibre> fibres;
  for (int i = 0; i < round_fibres; ++i) {
    const double angle = 2 * std::numbers::pi * i / round_fibres, c = std::cos(angle), si = std::sin(angle);
    fibres.push_back(fibre_at(s, outer * c, outer * si, -transverse * si, transverse * c, outer / s.torsion));
  }
  return fibres;
}

/// Shear on the side of a twisted rectangle per twist and shear modulus (m), at `part` (-1 to 1) of its length: `half`
/// is half that length, `depth` half the other side. Saint-Venant's series; zero at the corners.
double side_shear(double depth, double half, double part) {
  if (std::abs(part) >= 1.0) return 0.0;
  double sum = 0.0;
  for (int n = 1; n < 400; n += 2) {
    const double at = n * std::numbers::pi * std::abs(part) * half / (2 * depth),
                 end = n * std::numbers::pi * half / (2 * depth);
    // cosh(at) / cosh(end) without overflow
    sum += std::exp(at - end) * (1 + std::exp(-2 * at)) / (1 + std::exp(-2 * end)) / (n * n);
  }
  return 2 * depth - 16 * depth / (std::numbers::pi * std::numbers::pi) * sum;
}

/// Shear of a transverse force is a parabola along the sides that it runs along, and nothing on the others.
std::vector<Fibre> rectangle_outline(const ProfileAreas& s, double height, double width) {
  const double h = height / 2, w = width / 2;
  std::vector<Fibre> fibres;
  for (const double end : {-1.0, 1.0})
    for (int i = 0; i <= side_pieces; ++i) {
      const double part = 2.0 * i / side_pieces - 1.0, parabola = 1.5 / s.area * (1 - part * part);
      // Sides z = +-w run along y. Turning about x moves their points by +-y: the shear follows.
      fibres.push_back(fibre_at(s, part * h, end * w, parabola, 0.0, -end * side_shear(w, h, part) / s.torsion));
      if (i == 0 || i == side_pieces) continue;  // that corner is there
      fibres.push_back(fibre_at(s, end * h, part * w, 0.0, parabola, end * side_shear(h, w, part) / s.torsion));
    }
  return fibres;
}

/// Tips and middles of the flanges outside, the web at its ends and in the middle, both faces. Torsion of thin walls:
/// the shear on the face of a wall is thickness / torsion constant.
std::vector<Fibre> i_outline(const ProfileAreas& s, double height, double width, double web, double flange) {
  const double h = height / 2, clear = height - 2 * flange;
  const double flange_moment = width * flange * (height - flange) / 2;  // first moment of a flange
  const double half_moment = flange_moment + web * clear * clear / 8;   // of half the section
  const double at_end = flange_moment / (s.about_z * web), in_middle = half_moment / (s.about_z * web);
  const double along_flange = 1.5 / (2 * width * flange), twisted_flange = flange / s.torsion,
               twisted_web = web / s.torsion;
  std::vector<Fibre> fibres;
  for (const double side : {-1.0, 1.0}) {
    for (const double tip : {-1.0, 1.0})
      fibres.push_back(fibre_at(s, side * h, tip * width / 2, 0.0, 0.0, side * twisted_flange));
    fibres.push_back(fibre_at(s, side * h, 0.0, 0.0, along_flange, side * twisted_flange));
    for (const double y : {-clear / 2, 0.0, clear / 2})
      fibres.push_back(fibre_at(s, y, side * web / 2, y == 0.0 ? in_middle : at_end, 0.0, -side * twisted_web));
  }
  return fibres;
}

/// Without a shape: the farthest fibres in all four quarters, torsion at its largest in each, no shear of transverse
/// forces.
std::vector<Fibre> corners(const SectionModuli& moduli) {
  const auto inverse = [](double modulus) { return modulus > 0 ? 1.0 / modulus : 0.0; };
  std::vector<Fibre> fibres;
  for (const double y : {-1.0, 1.0})
    for (const double z : {-1.0, 1.0})
      fibres.push_back({{inverse(moduli.area), 0.0, 0.0, inverse(moduli.torsion), z * inverse(moduli.bending_z),
                         -y * inverse(moduli.bending_y)}});
  return fibres;
}

std::vector<Fibre> fibres_of(const Section& section) {
  const auto& d = section.profile.dimensions;
  const ProfileAreas s = detail::areas_of(section.profile);
  switch (section.profile.kind) {
    case Profile::Kind::rectangle:
      return rectangle_outline(s, d[0], d[1]);
    case Profile::Kind::circle:
      return round_outline(s, d[0], 0.0);
    case Profile::Kind::tube:
      return round_outline(s, d[0], d[0] - d[1]);
    case Profile::Kind::i:
      return i_outline(s, d[0], d[1], d[2], d[3]);
    case Profile::Kind::unknown:
      break;
  }
  return section.moduli.is_given() ? corners(section.moduli) : std::vector<Fibre>{};
}

}  // namespace

StressSection stress_section(const Section& section) { return {fibres_of(section), section.strength}; }

StressSection stress_section_of_bar(double area, const Strength& strength) {
  if (!(area > 0)) return {{}, strength};
  return {{{{1.0 / area}}}, strength};
}

}  // namespace lithe
