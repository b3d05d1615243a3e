#include "lithe/links/beam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "lithe/links/modes.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

using testing::uniform_beam;

using std::numbers::pi;
const std::vector<BeamSupport> clamped_start{{0.0, true, true}};

// Fattah reference 5.1, item 3: exact values (roots of cos x cosh x = -1, squared) and the two-element values given
// there.
TEST(Beam, ClampedFrequencies) {
  const Reduction coarse = link_modes("beam", beam_model("beam", uniform_beam(1, 1, 1, 2), clamped_start), {{}, 4, 0});
  const double two_elements[4] = {3.51772, 22.2215, 75.1571, 218.138};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(coarse.frequencies[i] / two_elements[i], 1.0, 1e-5);

  const double exact[3] = {1.8751040687 * 1.8751040687, 4.6940911330 * 4.6940911330, 7.8547574382 * 7.8547574382};
  double before[3] = {};
  for (int elements : {4, 8}) {
    const Reduction fine =
        link_modes("beam", beam_model("beam", uniform_beam(1, 1, 1, elements), clamped_start), {{}, 3, 0});
    for (int i = 0; i < 3; ++i) {
      const double error = fine.frequencies[i] - exact[i];
      EXPECT_GT(error, 0);
      if (elements == 8) {
        EXPECT_GT(std::log2(before[i] / error), 3.5) << "order of convergence is four";
      }
      before[i] = error;
    }
  }
}

// Fattah reference 2.11: mass-normalised two-element modes (mu = L = EI = 1), tip positive.
TEST(Beam, ModalIntegrals) {
  const ElasticModel model = beam_model("beam", uniform_beam(1, 1, 1, 2), clamped_start);
  const LinkData link = reduced_link("beam", model, link_modes("beam", model, {{}, 4, 0}), true);
  const double c1[4] = {0.782923, -0.426577, 0.224485, -0.0984835};
  const double h[4] = {0.568812, -0.0900277, 0.030241, -0.0113057};
  const double tip[4] = {2.00195, 2.01969, 2.24625, 3.77205};
  const double slope[4] = {2.75576, 9.72382, 21.6637, 72.9136};
  const Frame& end = link.frames[link.find_frame("tip")];
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(std::abs(link.elastic.translation(1, i)), std::abs(c1[i]), 1e-5);
    EXPECT_NEAR(std::abs(link.elastic.position_shape[0][1][i]), std::abs(h[i]), 1e-5);
    EXPECT_NEAR(end.shape(1, i), tip[i], 2e-5);
    EXPECT_NEAR(std::abs(end.turn(2, i)), slope[i], 2e-3);
  }
  EXPECT_LT((link.elastic.mass - MatrixX::Identity(4, 4)).norm(), 1e-12);
  const VectorX squares = link.elastic.frequencies.cwiseAbs2();
  EXPECT_LT((link.elastic.stiffness - MatrixX(squares.asDiagonal())).norm(), 1e-9 * squares[3]);
  EXPECT_NEAR(link.mass, 1.0, 1e-14);
  EXPECT_NEAR(link.centre.x(), 0.5, 1e-14);
  EXPECT_NEAR(link.inertia(2, 2), 1.0 / 12, 1e-14);
  EXPECT_EQ(link.elastic.names[0], "bending y 1");
}

// Fattah reference 5.1, item 2: closed forms of the cantilever, exact at nodes for any number of elements.
TEST(Beam, StaticCantilever) {
  const double L = 2.0, EI = 30.0, P = 0.7, M = 1.3;
  for (int elements : {1, 3}) {
    const ElasticModel model = beam_model("beam", uniform_beam(L, EI, 1.0, elements), clamped_start);
    const Frame tip = model.field->frames(MatrixX::Identity(2 * elements, 2 * elements), false).back();
    const auto solve = [&](const VectorX& load) -> VectorX { return model.stiffness.ldlt().solve(load); };
    const VectorX force = solve(P * tip.shape.row(1).transpose()), moment = solve(M * tip.turn.row(2).transpose());
    EXPECT_NEAR(tip.shape.row(1) * force, P * L * L * L / (3 * EI), 1e-12);
    EXPECT_NEAR(tip.turn.row(2) * force, P * L * L / (2 * EI), 1e-12);
    EXPECT_NEAR(tip.shape.row(1) * moment, M * L * L / (2 * EI), 1e-12);
    EXPECT_NEAR(tip.turn.row(2) * moment, M * L / EI, 1e-12);
  }
}

// Section forces of a cantilever under a tip force across and along: M_z = P (L - x), Q_y = P, N = F (statics).
TEST(Beam, SectionForces) {
  BeamSpec spec = uniform_beam(2.0, 30.0, 1.0, 4);
  spec.stretches = true;
  spec.stations[0].section.axial = 500.0;
  const ElasticModel model = beam_model("beam", spec, clamped_start);
  const MatrixX all = MatrixX::Identity(model.mass.rows(), model.mass.rows());
  const Frame tip = model.field->frames(all, false).back();
  const VectorX u = model.stiffness.ldlt().solve(VectorX(tip.shape.transpose() * Vec3(5.0, 0.7, 0)));
  const std::vector<SectionForces> forces = model.field->section_forces(all);
  ASSERT_EQ(forces.size(), 12u);  // both ends and the middle of four elements
  for (const SectionForces& section : forces) {
    const VectorX f = section.rows * u;
    EXPECT_NEAR(f[0], 5.0, 1e-11);
    EXPECT_NEAR(f[1], 0.7, 1e-11);
    EXPECT_NEAR(f[5], 0.7 * (2.0 - section.position.x()), 1e-11);
  }
  const Outline outline = model.field->outline(all);
  ASSERT_GT(outline.points.size(), 4u);
  EXPECT_NEAR(Vec3(outline.points.back().shape * u).y(), 0.7 * 8.0 / 90.0, 1e-12);  // P L^3 / (3 EI)
}

// Timoshenko: tip deflection P L^3/(3 EI) + P L/(kappa G A), exact for any mesh.
TEST(Beam, ShearAddsToTheDeflection) {
  BeamSpec spec = uniform_beam(0.5, 12.0, 1.0, 3);
  spec.stations[0].section.shear_y = 400.0;
  const ElasticModel model = beam_model("beam", spec, clamped_start);
  const Frame tip = model.field->frames(MatrixX::Identity(6, 6), false).back();
  const VectorX u = model.stiffness.ldlt().solve(VectorX(tip.shape.row(1).transpose()));
  EXPECT_NEAR(tip.shape.row(1) * u, 0.125 / 36 + 0.5 / 400, 1e-14);
}

// Stretching and torsion of a clamped_start bar: (2 i - 1) pi / 2 times sqrt(EA/mu)/L and sqrt(GJ/polar)/L.
TEST(Beam, StretchingAndTorsion) {
  BeamSpec spec = uniform_beam(2.0, 1.0, 3.0, 64);
  spec.bends_along_y = false;
  spec.stretches = spec.twists = true;
  spec.stations[0].section.axial = 1200.0;
  spec.stations[0].section.torsion = 5.0;
  spec.stations[0].section.polar = 0.05;
  const Reduction r = link_modes("bar", beam_model("bar", spec, clamped_start), {{}, 2, 0});
  EXPECT_NEAR(r.frequencies[0], pi / 2 * std::sqrt(5.0 / 0.05) / 2, 1e-3 * r.frequencies[0]);
  EXPECT_NEAR(r.frequencies[1], pi / 2 * std::sqrt(1200.0 / 3.0) / 2, 1e-3 * r.frequencies[1]);
  EXPECT_EQ(r.names[0], "torsion 1");
  EXPECT_EQ(r.names[1], "stretching 1");
}

// Tip mass: frequency equation 1 + cos x cosh x + m x (cos x sinh x - sin x cosh x) = 0 with m = M/(mu L) = 1,
// first root 1.2479 (closed form, solved by bisection here).
TEST(Beam, TipMass) {
  const auto equation = [](double x) {
    return 1 + std::cos(x) * std::cosh(x) + x * (std::cos(x) * std::sinh(x) - std::sin(x) * std::cosh(x));
  };
  double low = 1.0, high = 1.5;
  for (int i = 0; i < 60; ++i) (equation((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  BeamSpec spec = uniform_beam(1, 1, 1, 16);
  spec.masses.push_back({1.0, 1.0, Vec3::Zero(), Mat3::Zero()});
  const Reduction r = link_modes("beam", beam_model("beam", spec, clamped_start), {{}, 1, 0});
  EXPECT_NEAR(r.frequencies[0], low * low, 1e-5);
}

// Fattah reference 5.2, item 12: clamped_start-free column, pi^2 EI / (4 L^2).
TEST(Beam, BucklingLoad) {
  const ElasticModel model = beam_model("column", uniform_beam(3.0, 7.0, 1.0, 8), clamped_start);
  EXPECT_NEAR(buckling_load(model) / (pi * pi * 7.0 / 36.0), 1.0, 1e-4);
}

// Fattah reference 5.2, item 12: compression lowers the first frequency, to zero at the buckling load pi^2 EI / (4
// L^2).
TEST(Beam, CompressionLowersTheFrequency) {
  const ElasticModel model = beam_model("column", uniform_beam(3.0, 7.0, 1.0, 8), clamped_start);
  const MatrixX pull = model.field->tension_stiffness();
  const auto first_square = [&](double compression) {
    return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(model.stiffness - compression * pull, model.mass)
        .eigenvalues()[0];
  };
  const double critical = pi * pi * 7.0 / 36.0;
  EXPECT_LT(first_square(0.5 * critical), first_square(0));
  EXPECT_GT(first_square(0.9999 * critical), 0);
  EXPECT_LT(first_square(1.0001 * critical), 0);
}

// Fattah reference 5.1, item 1, on one free element: rigid motions have no strain energy, a unit translation has the
// mass mu l, the stiffness has rank 2; and the element matrices of its section 2.3.1.
TEST(Beam, ElementMatrices) {
  const double l = 0.7, EI = 3, mu = 1.9;
  const ElasticModel model = beam_model("element", uniform_beam(l, EI, mu, 1), {});
  Eigen::Matrix4d m, k;
  m << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l, -13 * l, -3 * l * l,
      -22 * l, 4 * l * l;
  k << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l, 2 * l * l, -6 * l,
      4 * l * l;
  EXPECT_LT((model.mass - mu * l / 420 * m).norm(), 1e-13 * model.mass.norm());
  EXPECT_LT((model.stiffness - EI / (l * l * l) * k).norm(), 1e-13 * model.stiffness.norm());
  const Eigen::Vector4d translation(1, 0, 1, 0), rotation(0, 1, l, 1);
  EXPECT_LT((model.stiffness * translation).norm(), 1e-11);
  EXPECT_LT((model.stiffness * rotation).norm(), 1e-11);
  EXPECT_NEAR(translation.dot(model.mass * translation), mu * l, 1e-13);
  const VectorX energies = Eigen::SelfAdjointEigenSolver<MatrixX>(model.stiffness).eigenvalues();
  EXPECT_LT(energies.head<2>().cwiseAbs().maxCoeff(), 1e-12 * energies[3]);
  EXPECT_GT(energies[2], 1e-3 * energies[3]);
}

// An L-shaped frame: total mass, centre and inertia are those of two rods, and a unit displacement of the whole is free
// of strain.
TEST(Beam, BentAxis) {
  BeamSpec spec = uniform_beam(1, 10, 2, 4);
  spec.axis = {Vec3::Zero(), Vec3(1, 0, 0), Vec3(1, 2, 0)};
  spec.section_y = Vec3(0.3, 1, 0);
  EXPECT_THROW(beam_model("elbow", spec, clamped_start), MechanismError);
  spec.section_y = Vec3::UnitZ();
  spec.bends_along_z = spec.twists = spec.stretches = true;
  spec.stations[0].section.torsion = 5;
  spec.stations[0].section.axial = 1000;
  const ElasticModel model = beam_model("elbow", spec, {});
  const LinkData link = integrate_link("elbow", model, all_coordinates(model).basis, false);
  EXPECT_NEAR(link.mass, 6.0, 1e-13);
  EXPECT_LT((link.centre - Vec3((2 * 0.5 + 4 * 1.0) / 6, 4 * 1.0 / 6, 0)).norm(), 1e-13);
  const VectorX stiffness = Eigen::SelfAdjointEigenSolver<MatrixX>(model.stiffness).eigenvalues();
  EXPECT_LT(stiffness.head<6>().cwiseAbs().maxCoeff(), 1e-9 * stiffness.tail<1>()[0]);
  EXPECT_GT(stiffness[6], 1e-6 * stiffness.tail<1>()[0]);
}

TEST(Beam, BadInputIsRefused) {
  const auto complaint = [](const BeamSpec& spec) -> std::string {
    try {
      beam_model("arm", spec, clamped_start);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(uniform_beam(0, 1, 1, 2)), "link 'arm': a beam of zero length; give a positive length");
  EXPECT_EQ(complaint(uniform_beam(1, -5, 1, 2)),
            "link 'arm': a stiffness or mass per length of the section is -5; it must not be negative");
  EXPECT_EQ(complaint(uniform_beam(1, 1, 1, 0)), "link 'arm': a beam needs at least one element");
  const ElasticModel model = beam_model("arm", uniform_beam(1, 1, 1, 2), clamped_start);
  try {
    link_modes("arm", model, {{}, 5, 0});
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(
        error.what(),
        "link 'arm': mode 5 is asked for, but its finite elements have only 4; use more elements or fewer modes");
  }
}

// The outline is what pictures show: it must pass through the frames and move with them.
TEST(Beam, OutlineMovesWithTheFrames) {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(0.6, 0, 0)};
  spec.stations = {{0.0, rectangle({200e9, 7800, 0.3}, 0.004, 0.03)}};
  spec.elements = 2;
  spec.frames = {{"middle", 0.3, {}}};
  const ElasticModel model = beam_model("strip", spec, {{0.0, true, true}});
  const MatrixX identity = MatrixX::Identity(model.mass.rows(), model.mass.rows());
  const Outline outline = model.field->outline(identity);
  ASSERT_EQ(outline.points.size(), 7U);  // three parts an element
  ASSERT_EQ(outline.lines.size(), 6U);
  for (const Frame& frame : model.field->frames(identity, false)) {
    const std::size_t point = frame.name == "tip" ? 6 : (frame.name == "middle" ? 3 : 0);
    EXPECT_LT((outline.points[point].position - frame.pose.position).norm(), 1e-14) << frame.name;
    if (frame.shape.size() > 0) EXPECT_LT((outline.points[point].shape - frame.shape).norm(), 1e-14) << frame.name;
  }
}

}  // namespace
}  // namespace lithe
