#include "lithe/links/assumed_modes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/errors.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/links/ritz_beam.hpp"
#include "lithe/spatial/gauss_rule.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

using namespace detail;  // NOLINT: parts of beams are the inside of this file

/// k-th derivative at s.
using ShapeFunction = std::function<double(int k, double s)>;

/// The shapes of the four ways of deforming.
enum Way { along_y, along_z, torsion, stretching };
constexpr const char* way_names[4] = {"bending y", "bending z", "torsion", "stretching"};
using Shapes = std::array<std::vector<ShapeFunction>, 4>;

ShapeFunction polynomial(std::vector<double> coefficients, double length) {
  return [c = std::move(coefficients), length](int k, double s) {
    double sum = 0.0;
    for (std::size_t i = c.size(); i-- > static_cast<std::size_t>(k);) {
      double factor = c[i];
      for (int d = 0; d < k; ++d) factor *= (static_cast<double>(i) - d) / length;
      sum = sum * (s / length) + factor;
    }
    return sum;
  };
}

/// Fields of one shape, written into column j.
void put(Way way, const ShapeFunction& phi, double s, int j, RitzFields& fields) {
  switch (way) {
    case along_y:
      fields.displacement(1, j) = phi(0, s);
      fields.slope_y[j] = fields.rotation(2, j) = phi(1, s);
      fields.strain(5, j) = phi(2, s);
      fields.strain_rate(5, j) = phi(3, s);
      break;
    case along_z:
      fields.displacement(2, j) = phi(0, s);
      fields.slope_z[j] = phi(1, s);
      fields.rotation(1, j) = -phi(1, s);
      fields.strain(4, j) = -phi(2, s);
      fields.strain_rate(4, j) = -phi(3, s);
      break;
    case torsion:
      fields.rotation(0, j) = phi(0, s);
      fields.strain(3, j) = phi(1, s);
      break;
    case stretching:
      fields.displacement(0, j) = phi(0, s);
      fields.strain(0, j) = phi(1, s);
      break;
  }
}

RitzShapes assumed_fields(const Shapes& shapes, double largest_wave_number, int degree) {
  RitzShapes all;
  for (int way = 0; way < 4; ++way)
    for (std::size_t i = 0; i < shapes[way].size(); ++i)
      all.names.push_back(fmt::format("{} {}", way_names[way], i + 1));
  all.at = [shapes, count = static_cast<int>(all.names.size())](double s) {
    RitzFields fields(count);
    int j = 0;
    for (int way = 0; way < 4; ++way)
      for (const ShapeFunction& phi : shapes[way]) put(static_cast<Way>(way), phi, s, j++, fields);
    return fields;
  };
  // Half a wave of the shortest shape per panel: 16 points integrate products of two shapes to rounding. Polynomials,
  // twice, times the place and a section that varies linearly: degree 2 d + 2.
  all.gauss_points = std::max(16, degree + 2);
  if (largest_wave_number > 0) all.panel_length = std::numbers::pi / largest_wave_number;
  return all;
}

/// The payload relative to the beam, for rotation about one section axis (1: y, 2: z).
TipLump payload(const StraightBeam& beam, const Mat3& axes, double beam_mass, int about) {
  TipLump tip;
  for (const BeamMass& lump : beam.masses) {
    if (lump.at < beam.length * (1 - detail::tolerance::computed)) continue;
    const Vec3 offset = axes.transpose() * lump.offset;
    const Mat3 inertia = axes.transpose() * lump.inertia * axes;
    tip.mass += lump.mass / beam_mass;
    tip.moment += lump.mass * offset[0] / (beam_mass * beam.length);
    tip.inertia += (inertia(about, about) + lump.mass * (offset.squaredNorm() - offset[about] * offset[about])) /
                   (beam_mass * beam.length * beam.length);
  }
  return tip;
}

double polar_payload(const StraightBeam& beam, const Mat3& axes) {
  double polar = 0.0;
  for (const BeamMass& lump : beam.masses) {
    if (lump.at < beam.length * (1 - detail::tolerance::computed)) continue;
    const Vec3 offset = axes.transpose() * lump.offset;
    polar += axes.col(0).dot(lump.inertia * axes.col(0)) + lump.mass * offset.tail<2>().squaredNorm();
  }
  return polar;
}

/// Integral over the beam of what varies linearly between the stations.
double along_beam(const StraightBeam& beam, double Section::*quantity) {
  const std::vector<double> ends = piece_ends(beam.stations, beam.length);
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    sum += (ends[i + 1] - ends[i]) * (section_at(beam.stations, (ends[i] + ends[i + 1]) / 2).*quantity);
  return sum;
}

class AssumedModesBuilder {
 public:
  AssumedModesBuilder(const std::string& link, const AssumedModesSpec& spec)
      : link_(link), spec_(spec), axes_(section_axes(link, spec.beam.direction, spec.beam.section_y)) {}

  ElasticModel model() {
    add_bending(along_y, spec_.along_y, 2);
    add_bending(along_z, spec_.along_z, 1);
    add_bar(torsion, spec_.torsion, &Section::polar);
    add_bar(stretching, spec_.stretching, &Section::mass_per_length);
    RitzShapes fields = assumed_fields(shapes_, wave_number_, degree_);
    check_strains(fields);
    return ritz_model(link_, spec_.beam, std::move(fields));
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw MechanismError(link_, fmt::format("link '{}': {}", link_, message));
  }

  void add_bending(Way way, const AssumedShapes<BendingFamily>& wanted, int about) {
    TipLump tip;
    if (wanted.family == BendingFamily::clamped_payload && wanted.count > 0) {
      const double mass = along_beam(spec_.beam, &Section::mass_per_length);
      if (!(mass > 0)) fail("shapes with a payload need a beam with mass; give it a mass per length");
      tip = payload(spec_.beam, axes_, mass, about);
    }
    add(way, bending_modes(wanted.family, wanted.count, spec_.beam.length, tip), wanted.polynomials);
  }

  void add_bar(Way way, const AssumedShapes<BarFamily>& wanted, double Section::*inertia) {
    TipLump tip;
    if (wanted.family == BarFamily::fixed_payload && wanted.count > 0) {
      const double of_beam = along_beam(spec_.beam, inertia);
      if (!(of_beam > 0))
        fail(fmt::format("{} shapes with a payload need a beam with {}; give its section", way_names[way],
                         way == torsion ? "polar inertia" : "mass"));
      tip.mass =
          way == torsion ? polar_payload(spec_.beam, axes_) / of_beam : payload(spec_.beam, axes_, of_beam, 2).mass;
    }
    add(way, bar_modes(wanted.family, wanted.count, spec_.beam.length, tip), wanted.polynomials);
  }

  void add(Way way, const std::vector<ModeFunction>& modes, const std::vector<std::vector<double>>& polynomials) {
    std::vector<ShapeFunction>& shapes = shapes_[way];
    for (const ModeFunction& mode : modes) {
      shapes.emplace_back(mode);
      wave_number_ = std::max(wave_number_, mode.wave_number);
    }
    for (const std::vector<double>& coefficients : polynomials) {
      shapes.push_back(polynomial(coefficients, spec_.beam.length));
      degree_ = std::max(degree_, static_cast<int>(coefficients.size()) - 1);
    }
  }

  /// The strains of the shapes must be independent: otherwise two shapes say the same, or some combination is a rigid
  /// motion, which belongs to the joints.
  void check_strains(const RitzShapes& fields) const {
    const auto count = static_cast<int>(fields.names.size());
    MatrixX gram = MatrixX::Zero(count, count);
    const int panels =
        fields.panel_length > 0 ? static_cast<int>(std::ceil(spec_.beam.length / fields.panel_length)) : 1;
    const GaussRule rule = gauss_rule(fields.gauss_points);
    for (int p = 0; p < panels; ++p)
      for (Eigen::Index g = 0; g < rule.at.size(); ++g) {
        const Matrix6X strain = fields.at((p + rule.at[g]) * spec_.beam.length / panels).strain;
        gram += rule.weight[g] * strain.transpose() * strain;
      }
    int first = 0;
    for (int way = 0; way < 4; ++way) {
      const auto size = static_cast<int>(shapes_[way].size());
      if (size > 0 && !independent(gram.block(first, first, size, size)))
        fail(
            fmt::format("some combination of its {} shapes does not strain the beam: two are alike, or a polynomial "
                        "moves the beam as a rigid body; leave it out",
                        way_names[way]));
      first += size;
    }
  }

  static bool independent(const MatrixX& gram) {
    if (!(gram.diagonal().minCoeff() > 0)) return false;
    const VectorX scale = gram.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixX correlation = scale.asDiagonal() * gram * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<MatrixX> solver(correlation, Eigen::EigenvaluesOnly);
    return solver.eigenvalues()[0] > 1e-14 * static_cast<double>(gram.rows());
  }

  std::string link_;
  const AssumedModesSpec& spec_;
  Mat3 axes_;
  Shapes shapes_;
  double wave_number_ = 0.0;
  int degree_ = 0;
};

}  // namespace

ElasticModel assumed_modes_model(const std::string& link, const AssumedModesSpec& spec) {
  check_straight(link, spec.beam);
  check_sections(link, spec.beam.stations,
                 {!spec.along_y.empty(), !spec.along_z.empty(), !spec.torsion.empty(), !spec.stretching.empty()});
  return AssumedModesBuilder(link, spec).model();
}

}  // namespace lithe
