#include "lithe/links/assumed_modes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/links/modes.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {
namespace {

using std::numbers::pi;

Section plain_section() {
  Section section;
  section.mass_per_length = 1.3;
  section.bending_y = 7.0;
  section.bending_z = 2.5;
  section.torsion = 4.0;
  section.axial = 900.0;
  section.polar = 0.02;
  return section;
}

AssumedModesSpec plain_beam(double length = 1.5) {
  AssumedModesSpec spec;
  spec.beam.length = length;
  spec.beam.stations = {{0.0, plain_section()}};
  return spec;
}

VectorX squares(const ElasticModel& model) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(model.stiffness, model.mass).eigenvalues();
}

// On a uniform beam the shapes are the modes: M and K are diagonal with beta^4 EI/mu (bar: beta^2 EA/mu), for all ways
// of deforming at once.
TEST(AssumedModes, UniformBeamIsDecoupled) {
  AssumedModesSpec spec = plain_beam();
  spec.along_y = {BendingFamily::clamped_free, 12};
  spec.along_z = {BendingFamily::clamped_pinned, 5};
  spec.torsion = {BarFamily::fixed_free, 3};
  spec.stretching = {BarFamily::fixed_fixed, 2};
  const ElasticModel model = assumed_modes_model("arm", spec);
  ASSERT_EQ(model.mass.rows(), 22);
  EXPECT_EQ(model.names[12], "bending z 1");
  EXPECT_EQ(model.names[21], "stretching 2");
  const VectorX m = model.mass.diagonal().cwiseSqrt(), k = model.stiffness.diagonal().cwiseSqrt();
  for (int i = 0; i < 22; ++i)
    for (int j = 0; j < 22; ++j) {
      EXPECT_NEAR(model.mass(i, j) / (m[i] * m[j]), i == j, 1e-12) << i << ' ' << j;
      EXPECT_NEAR(model.stiffness(i, j) / (k[i] * k[j]), i == j, 1e-12) << i << ' ' << j;
    }
  const auto square = [&](int i) { return model.stiffness(i, i) / model.mass(i, i); };
  const double first = 1.8751040687 / 1.5, pinned = 3.9266023120 / 1.5;
  EXPECT_NEAR(square(0), std::pow(first, 4) * 7.0 / 1.3, 1e-8 * square(0));
  EXPECT_NEAR(square(12), std::pow(pinned, 4) * 2.5 / 1.3, 1e-8 * square(12));
  EXPECT_NEAR(square(18), std::pow(1.5 * pi / 1.5, 2) * 4.0 / 0.02, 1e-10 * square(18));
  EXPECT_NEAR(square(21), std::pow(2 * pi / 1.5, 2) * 900.0 / 1.3, 1e-10 * square(21));
  // Clamped families leave the root exactly where it is.
  const std::vector<Frame> frames = model.field->frames(MatrixX::Identity(22, 22), true);
  EXPECT_EQ(frames[1].name, "root");
  EXPECT_TRUE(frames[1].shape.isZero(0.0));
  EXPECT_TRUE(frames[1].turn.isZero(0.0));
}

/// The same tapered, stepped, loaded beam by finite elements and by assumed modes.
struct TwoWays {
  BeamSpec elements;
  AssumedModesSpec shapes;

  TwoWays() {
    Section thick = plain_section(), thin = plain_section();
    thin.mass_per_length = 0.5, thin.bending_y = 2.0, thin.bending_z = 0.9;
    elements.axis = {Vec3::Zero(), Vec3(0, 0, 1.5)};
    elements.section_y = Vec3(1, 1, 0);
    elements.stations = {{0.0, thick}, {0.75, thick}, {0.75, thin}, {1.5, interpolate(thick, thin, 1.2)}};
    elements.elements = 40;
    elements.bends_along_z = true;
    Mat3 inertia;
    inertia << 0.02, 0.003, 0.001, 0.003, 0.03, 0.002, 0.001, 0.002, 0.015;
    elements.masses = {{1.5, 0.4, Vec3(0.02, -0.03, 0.1), inertia}, {0.6, 0.2, Vec3::Zero(), Mat3::Zero()}};
    elements.frames = {{"flange", 1.2, {Mat3::Identity(), Vec3(0.1, 0, 0)}}};
    shapes.beam.length = 1.5;
    shapes.beam.direction = Vec3(0, 0, 3);
    shapes.beam.section_y = elements.section_y;
    shapes.beam.stations = elements.stations;
    shapes.beam.masses = elements.masses;
    shapes.beam.frames = elements.frames;
    shapes.along_y = {BendingFamily::clamped_payload, 12};
    shapes.along_z = {BendingFamily::clamped_payload, 12};
  }
};

// Ritz approaches the finite-element values (40 elements: 1e-6) from above. At a step of the section the true curvature
// jumps, which smooth shapes follow only slowly: the error falls about as one over their number.
TEST(AssumedModes, AgreesWithFiniteElements) {
  TwoWays two;
  const ElasticModel elements = beam_model("arm", two.elements, {{0.0, true, true}});
  const VectorX reference = squares(elements);
  double before = std::numeric_limits<double>::infinity();
  for (const int count : {6, 12, 24}) {
    two.shapes.along_y.count = two.shapes.along_z.count = count;
    const VectorX ours = squares(assumed_modes_model("arm", two.shapes));
    double worst = 0.0;
    for (int i = 0; i < 4; ++i) {
      EXPECT_GT(ours[i], reference[i] * (1 - 1e-5));
      worst = std::max(worst, ours[i] / reference[i] - 1);
    }
    EXPECT_LT(worst, 0.6 * before) << count;
    before = worst;
  }
  two.shapes.along_y.count = two.shapes.along_z.count = 12;
  const ElasticModel shapes = assumed_modes_model("arm", two.shapes);
  const LinkData a = integrate_link("arm", elements, MatrixX::Identity(160, 160), false);
  const LinkData b = integrate_link("arm", shapes, MatrixX::Identity(24, 24), false);
  EXPECT_NEAR(a.mass, b.mass, 1e-13);
  EXPECT_LT((a.centre - b.centre).norm(), 1e-13);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13);
  EXPECT_EQ(b.find_frame("flange"), 3);
  EXPECT_LT((b.frames[3].pose.position - Vec3(0.1, 0, 1.2)).norm(), 1e-14);
}

// Without a step twelve shapes are enough for 1e-4.
TEST(AssumedModes, TaperedBeamAgreesWithFiniteElements) {
  TwoWays two;
  two.elements.stations = {two.elements.stations.front(), two.elements.stations.back()};
  for (SectionStation& station : two.elements.stations) station.section.rotary_y = station.section.rotary_z = 1e-3;
  two.shapes.beam.stations = two.elements.stations;
  const VectorX reference = squares(beam_model("arm", two.elements, {{0.0, true, true}}));
  const VectorX ours = squares(assumed_modes_model("arm", two.shapes));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(ours[i] / reference[i], 1.0, 1e-4) << i;
}

// With a payload the natural first shape alone gives the frequency of beam and payload exactly; centre beyond the tip.
TEST(AssumedModes, PayloadFamilyIsExact) {
  AssumedModesSpec spec = plain_beam();
  Mat3 inertia = Vec3(0.1, 0.2, 0.3).asDiagonal();
  spec.beam.masses = {{1.5, 2.0, Vec3(0.1, 0, 0), inertia}};
  spec.along_y = {BendingFamily::clamped_payload, 4};
  const ElasticModel model = assumed_modes_model("arm", spec);
  const VectorX scale = model.mass.diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((scale.asDiagonal() * model.mass * scale.asDiagonal() - MatrixX::Identity(4, 4)).norm(), 1e-10);
  BeamSpec elements;
  elements.axis = {Vec3::Zero(), Vec3(1.5, 0, 0)};
  elements.stations = spec.beam.stations;
  elements.masses = spec.beam.masses;
  elements.elements = 64;
  const VectorX reference = squares(beam_model("arm", elements, {{0.0, true, true}}));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(model.stiffness(i, i) / model.mass(i, i) / reference[i], 1.0, 2e-6);

  spec.along_y = {};
  spec.torsion = {BarFamily::fixed_payload, 2};
  const ElasticModel shaft = assumed_modes_model("arm", spec);
  // x tan x = 1/m with m the payload's polar inertia over that of the bar.
  const double ratio = 0.1 / (0.02 * 1.5), w = std::sqrt(shaft.stiffness(0, 0) / shaft.mass(0, 0));
  const double x = w * 1.5 * std::sqrt(0.02 / 4.0);
  EXPECT_NEAR(x * std::tan(x), 1 / ratio, 1e-10);
}

// Cantilever with a force P at the tip: M_z = P (L - s), Q_y = P; with a force along z: M_y = -P (L - s), Q_z = P.
TEST(AssumedModes, SectionForces) {
  AssumedModesSpec spec = plain_beam();
  spec.along_y.polynomials = spec.along_z.polynomials = {{0, 0, 1}, {0, 0, 0, 1}};
  spec.torsion.polynomials = spec.stretching.polynomials = {{0, 1}};
  const ElasticModel model = assumed_modes_model("arm", spec);
  const MatrixX identity = MatrixX::Identity(6, 6);
  const Frame tip = model.field->frames(identity, false)[2];
  const Vec3 force(5, 3, 2);
  const double moment = 0.7;
  const VectorX u = model.stiffness.ldlt().solve(tip.shape.transpose() * force + moment * tip.turn.row(0).transpose());
  EXPECT_NEAR(tip.shape.row(1) * u, 3 * std::pow(1.5, 3) / (3 * 7.0), 1e-12);
  for (const SectionForces& place : model.field->section_forces(identity)) {
    const VectorX f = place.rows * u;
    const double arm = 1.5 - place.position.x();
    EXPECT_NEAR(f[0], 5, 1e-10);
    EXPECT_NEAR(f[1], 3, 1e-10);
    EXPECT_NEAR(f[2], 2, 1e-10);
    EXPECT_NEAR(f[3], 0.7, 1e-10);
    EXPECT_NEAR(f[4], -2 * arm, 1e-10);
    EXPECT_NEAR(f[5], 3 * arm, 1e-10);
  }
  EXPECT_EQ(model.field->section_forces(identity)[10].name, "0.75 m");
  const Outline outline = model.field->outline(identity);
  ASSERT_EQ(outline.points.size(), 21U);
  EXPECT_LT((outline.points.back().shape - tip.shape).norm(), 1e-14);
  EXPECT_EQ(outline.lines[4].section_forces, 4);
}

// Shear force of a tapered beam is minus the slope of its moment.
TEST(AssumedModes, ShearForceBalancesMoment) {
  TwoWays two;
  two.shapes.beam.stations = {{0.0, plain_section()}, {1.5, interpolate(plain_section(), {}, 0.6)}};
  const ElasticModel model = assumed_modes_model("arm", two.shapes);
  const std::vector<SectionForces> forces = model.field->section_forces(MatrixX::Identity(24, 24).leftCols(1));
  const double h = 1.5 / 20;
  for (std::size_t i = 2; i + 2 < forces.size(); ++i) {
    const auto moment = [&](std::size_t k) { return forces[k].rows(5, 0); };
    const double slope = (moment(i - 2) - 8 * moment(i - 1) + 8 * moment(i + 1) - moment(i + 2)) / (12 * h);
    EXPECT_NEAR(forces[i].rows(1, 0), -slope, 1e-3 * std::abs(forces[0].rows(1, 0)));
  }
}

// Foreshortening at the tip and geometric stiffness are int phi' phi', here x^2: 4/(3 L), along the axis wherever it
// points.
TEST(AssumedModes, Foreshortening) {
  AssumedModesSpec spec = plain_beam(0.8);
  spec.beam.direction = Vec3(1, 2, 2);
  spec.along_y.polynomials = {{0, 0, 1}};
  const ElasticModel model = assumed_modes_model("arm", spec);
  const MatrixX one = MatrixX::Identity(1, 1);
  EXPECT_NEAR(model.field->tension_stiffness()(0, 0), 4 / (3 * 0.8), 1e-14);
  const Frame tip = model.field->frames(one, true)[2];
  for (int a = 0; a < 3; ++a)
    EXPECT_NEAR(tip.foreshortening[a](0, 0), 4 / (3 * 0.8) * Vec3(1, 2, 2)[a] / 3, 1e-14);
  // int mu x S_x with S(s) = 4 s^3/(3 L^4), along the beam: mu 4 L/15.
  const LinkData link = integrate_link("arm", model, one, true);
  const Vec3 axis = Vec3(1, 2, 2) / 3;
  double along = 0.0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      along += axis[static_cast<int>(a)] * axis[static_cast<int>(b)] * link.elastic.position_foreshortening[a][b](0, 0);
  EXPECT_NEAR(along, 1.3 * 4 * 0.8 / 15, 1e-14);
}

// Fattah reference 5.2, item 10 (values of the literature for a spinning beam), with ten clamped-free shapes.
TEST(AssumedModes, SpinningBeamStiffens) {
  AssumedModesSpec spec;
  Section section;
  section.mass_per_length = section.bending_y = 1.0;
  spec.beam.stations = {{0.0, section}};
  spec.along_y = {BendingFamily::clamped_free, 10};
  const ElasticModel model = assumed_modes_model("blade", spec);
  const ElasticData e = integrate_link("blade", model, MatrixX::Identity(10, 10), true).elastic;
  const double spins[4] = {1, 3, 6, 10}, out_of_plane[4] = {3.6816, 4.7973, 7.3604, 11.2023};
  for (int i = 0; i < 4; ++i) {
    const MatrixX k = e.stiffness + spins[i] * spins[i] * e.position_foreshortening[0][0];
    const double square = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(k, e.mass).eigenvalues()[0];
    EXPECT_NEAR(std::sqrt(square) / out_of_plane[i], 1.0, 1e-3);
  }
}

// Euler's column pi^2 EI/(4 L^2), by polynomials.
TEST(AssumedModes, BucklingLoad) {
  AssumedModesSpec spec = plain_beam();
  spec.along_y.polynomials = {{0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
  EXPECT_NEAR(buckling_load(assumed_modes_model("column", spec)), pi * pi * 7.0 / (4 * 1.5 * 1.5), 1e-4);
}

TEST(AssumedModes, BadInputIsRefused) {
  const auto complaint = [](const AssumedModesSpec& spec) -> std::string {
    try {
      assumed_modes_model("arm", spec);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  AssumedModesSpec spec = plain_beam();
  EXPECT_EQ(complaint(spec),
            "link 'arm': the beam has no way to deform; switch on bending, twisting or stretching, or make the link "
            "rigid");
  spec.along_y = {BendingFamily::clamped_free, 2};
  EXPECT_EQ(complaint(spec), "");
  spec.beam.length = 0;
  EXPECT_EQ(complaint(spec), "link 'arm': a beam of zero length; give a positive length");
  spec = plain_beam();
  spec.along_y.polynomials = {{0, 0, 1}, {0, 1}};
  const std::string alike =
      "link 'arm': some combination of its bending y shapes does not strain the beam: two are alike, or a polynomial "
      "moves the beam as a rigid body; leave it out";
  EXPECT_EQ(complaint(spec), alike);
  spec.along_y.polynomials = {{0, 0, 1}, {0, 0, 2}};
  EXPECT_EQ(complaint(spec), alike);
  spec = plain_beam();
  spec.torsion = {BarFamily::fixed_payload, 1};
  spec.beam.stations[0].section.polar = 0;
  EXPECT_EQ(complaint(spec),
            "link 'arm': torsion shapes with a payload need a beam with polar inertia; give its section");
  spec = plain_beam();
  spec.along_z = {BendingFamily::free_free, 1};
  spec.beam.stations[0].section.bending_z = 0;
  EXPECT_EQ(complaint(spec), "link 'arm': bending along z needs a positive EI");
  spec = plain_beam();
  spec.along_y = {BendingFamily::clamped_free, 1};
  spec.beam.masses = {{1.6, 1.0, Vec3::Zero(), Mat3::Zero()}};
  EXPECT_EQ(complaint(spec), "link 'arm': a mass stands at 1.6 m, but the beam is 1.5 m long");
}

}  // namespace
}  // namespace lithe
