#include "lithe/links/bezier_beam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "lithe/links/bernstein.hpp"
#include "lithe/links/modes.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {
namespace {

using std::numbers::pi;

BezierBeamSpec thick_beam(int degree) {
  BezierBeamSpec spec;
  spec.degree = degree;
  spec.beam.length = 0.5;
  Section section;
  section.mass_per_length = 2.0;
  section.bending_y = 12.0, section.bending_z = 30.0;
  section.shear_y = 400.0, section.shear_z = 700.0;
  section.torsion = 5.0, section.axial = 800.0;
  section.rotary_y = section.rotary_z = 1e-3, section.polar = 2e-3;
  spec.beam.stations = {{0.0, section}};
  return spec;
}

double binomial(int n, int k) { return k == 0 ? 1.0 : binomial(n - 1, k - 1) * n / k; }

TEST(Bernstein, ValuesAndDerivatives) {
  for (const int n : {1, 4, 9}) {
    for (const double x : {0.0, 0.2, 0.77, 1.0}) {
      const Eigen::RowVectorXd row = detail::bernstein(n, 0, x);
      for (int i = 0; i <= n; ++i) EXPECT_NEAR(row[i], binomial(n, i) * std::pow(x, i) * std::pow(1 - x, n - i), 1e-14);
      EXPECT_TRUE(detail::bernstein(n, n + 1, x).isZero(0.0));
    }
    for (int k = 0; k < n; ++k) {
      const double h = 1e-5;
      const Eigen::RowVectorXd by_differences =
          (detail::bernstein(n, k, 0.4 + h) - detail::bernstein(n, k, 0.4 - h)) / (2 * h);
      const Eigen::RowVectorXd row = detail::bernstein(n, k + 1, 0.4);
      EXPECT_LT((row - by_differences).norm(), 1e-6 * (1 + row.norm()));
    }
  }
}

// Closed-form matrices of the reference (brillarelli-five-bar.md 2.1) for bending in one plane: with
// <i,j>_(n,m) = C(n,i) C(m,j) / (C(n+m,i+j) (n+m+1)).
TEST(BezierBeam, MatricesEqualTheClosedForm) {
  const auto product = [](int n, int i, int m, int j) {
    if (i < 0 || j < 0 || i > n || j > m) return 0.0;
    return binomial(n, i) * binomial(m, j) / (binomial(n + m, i + j) * (n + m + 1));
  };
  for (const int n : {2, 5, 9}) {
    BezierBeamSpec spec = thick_beam(n);
    spec.root = BezierEnd::free;
    spec.shear = BezierShear::independent;
    const ElasticModel model = bezier_beam_model("beam", spec);
    ASSERT_EQ(model.mass.rows(), 2 * (n + 1));
    const double l = 0.5, EJ = 12, kGA = 400;
    const auto whole = [&](int i, int j) { return product(n, i, n, j); };
    const auto left = [&](int i, int j) { return n * (product(n - 1, i - 1, n, j) - product(n - 1, i, n, j)); };
    const auto both = [&](int i, int j) {
      return n * n *
             (product(n - 1, i - 1, n - 1, j - 1) - product(n - 1, i - 1, n - 1, j) - product(n - 1, i, n - 1, j - 1) +
              product(n - 1, i, n - 1, j));
    };
    const double scale = model.stiffness.cwiseAbs().maxCoeff();
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        const int ri = n + 1 + i, rj = n + 1 + j;
        EXPECT_NEAR(model.stiffness(i, j), kGA / l * both(i, j), 1e-13 * scale);
        EXPECT_NEAR(model.stiffness(i, rj), -kGA * left(i, j), 1e-13 * scale);
        EXPECT_NEAR(model.stiffness(ri, rj), EJ / l * both(i, j) + kGA * l * whole(i, j), 1e-13 * scale);
        EXPECT_NEAR(model.mass(i, j), 2.0 * l * whole(i, j), 1e-14);
        EXPECT_NEAR(model.mass(ri, rj), 1e-3 * l * whole(i, j), 1e-14);
        EXPECT_NEAR(model.mass(i, rj), 0.0, 1e-15);
      }
  }
}

// Tip force and tip moment: P L^3/(3 EI) + P L/(kappa G A), M L/EI. Exact from degree 3 on, in both planes, with the
// rotation a field of its own or eliminated; section forces are those of statics.
TEST(BezierBeam, StaticCantilever) {
  for (const BezierShear shear : {BezierShear::eliminated, BezierShear::independent})
    for (const int degree : {3, 6}) {
      BezierBeamSpec spec = thick_beam(degree);
      spec.bends_along_z = spec.twists = spec.stretches = true;
      spec.shear = shear;
      const ElasticModel model = bezier_beam_model("beam", spec);
      const MatrixX identity = MatrixX::Identity(model.mass.rows(), model.mass.rows());
      const Frame tip = model.field->frames(identity, false)[2];
      const auto solve = [&](const Vec3& force, const Vec3& moment) -> VectorX {
        return model.stiffness.ldlt().solve(tip.shape.transpose() * force + tip.turn.transpose() * moment);
      };
      const VectorX u = solve(Vec3(7, 3, 2), Vec3(0.4, 0, 0));
      EXPECT_NEAR(tip.shape.row(0) * u, 7 * 0.5 / 800, 1e-12);
      EXPECT_NEAR(tip.shape.row(1) * u, 3 * (0.125 / 36 + 0.5 / 400), 1e-12);
      EXPECT_NEAR(tip.shape.row(2) * u, 2 * (0.125 / 90 + 0.5 / 700), 1e-12);
      EXPECT_NEAR(tip.turn.row(0) * u, 0.4 * 0.5 / 5, 1e-12);
      EXPECT_NEAR(tip.turn.row(1) * u, -2 * 0.25 / 60, 1e-12);
      EXPECT_NEAR(tip.turn.row(2) * u, 3 * 0.25 / 24, 1e-12);
      EXPECT_NEAR(tip.turn.row(2) * solve(Vec3::Zero(), Vec3(0, 0, 1.5)), 1.5 * 0.5 / 12, 1e-12);
      for (const SectionForces& place : model.field->section_forces(identity)) {
        const double arm = 0.5 - place.position.x();
        Eigen::Matrix<double, 6, 1> expected;
        expected << 7, 3, 2, 0.4, -2 * arm, 3 * arm;
        EXPECT_LT((place.rows * u - expected).norm(), 1e-9);
      }
    }
}

// Eliminated shear leaves degree - 1 coordinates per plane of a clamped beam and none of the shear modes; what remains
// are the bending modes of the beam with independent rotation.
TEST(BezierBeam, EliminatedShearHasNoShearModes) {
  BezierBeamSpec spec = thick_beam(8);
  spec.beam.stations[0].section.shear_y = 4e5;
  spec.beam.stations[0].section.rotary_z = 1e-5;
  const ElasticModel eliminated = bezier_beam_model("beam", spec);
  EXPECT_EQ(eliminated.mass.rows(), 7);
  EXPECT_EQ(eliminated.names.front(), "deflection y 2");
  spec.shear = BezierShear::independent;
  const ElasticModel independent = bezier_beam_model("beam", spec);
  EXPECT_EQ(independent.mass.rows(), 16);
  EXPECT_EQ(independent.names.back(), "rotation about z 8");
  const auto squares = [](const ElasticModel& model) {
    return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(model.stiffness, model.mass).eigenvalues().eval();
  };
  const VectorX few = squares(eliminated), many = squares(independent);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(few[i] / many[i], 1.0, 1e-3) << i;
  EXPECT_LT(few[6], 0.01 * many[15]);
  EXPECT_LT(std::sqrt(few[6] / few[0]), 1e3);
}

// Rigid in shear: pinned-pinned and clamped-clamped frequencies from above, (i pi)^2 and 4.7300407449^2.
TEST(BezierBeam, Ends) {
  BezierBeamSpec spec = thick_beam(10);
  Section& section = spec.beam.stations[0].section;
  section.shear_y = section.rotary_z = 0;
  spec.beam.length = 1.0;
  const double unit = std::sqrt(12.0 / 2.0);
  const auto frequency = [&](int i) {
    const ElasticModel model = bezier_beam_model("beam", spec);
    return std::sqrt(Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(model.stiffness, model.mass).eigenvalues()[i]);
  };
  spec.root = spec.tip = BezierEnd::pinned;
  EXPECT_NEAR(frequency(0) / (pi * pi * unit), 1.0, 1e-8);
  EXPECT_NEAR(frequency(2) / (9 * pi * pi * unit), 1.0, 1e-4);
  spec.root = spec.tip = BezierEnd::clamped;
  EXPECT_NEAR(frequency(0) / (std::pow(4.7300407449, 2) * unit), 1.0, 1e-7);
  spec.tip = BezierEnd::pinned;
  EXPECT_NEAR(frequency(0) / (std::pow(3.9266023120, 2) * unit), 1.0, 1e-7);
}

// A tapered beam agrees with finite elements of the same sections.
TEST(BezierBeam, TaperedBeam) {
  BezierBeamSpec spec = thick_beam(9);
  Section& thick = spec.beam.stations[0].section;
  thick.shear_y = 4e4;
  spec.beam.stations.push_back({0.5, interpolate(thick, {}, 0.5)});
  spec.beam.masses = {{0.5, 0.3, Vec3(0.01, 0.02, 0), Mat3::Identity() * 1e-3}};
  BeamSpec elements;
  elements.axis = {Vec3::Zero(), Vec3(0.5, 0, 0)};
  elements.stations = spec.beam.stations;
  elements.masses = spec.beam.masses;
  elements.elements = 40;
  const ElasticModel ours = bezier_beam_model("beam", spec);
  const ElasticModel theirs = beam_model("beam", elements, {{0.0, true, true}});
  const VectorX a = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(ours.stiffness, ours.mass).eigenvalues();
  const VectorX b = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(theirs.stiffness, theirs.mass).eigenvalues();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i] / b[i], 1.0, 1e-3) << i;
}

TEST(BezierBeam, BadInputIsRefused) {
  const auto complaint = [](const BezierBeamSpec& spec) -> std::string {
    try {
      bezier_beam_model("arm", spec);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  BezierBeamSpec spec = thick_beam(1);
  EXPECT_EQ(complaint(spec),
            "link 'arm': a Bezier beam of degree 1 does not work with these end conditions; use 2 to 30");
  spec.degree = 2;
  EXPECT_EQ(complaint(spec), "");
  spec.root = BezierEnd::as_printed;
  EXPECT_EQ(complaint(spec),
            "link 'arm': a Bezier beam of degree 2 does not work with these end conditions; use 3 to 30");
  spec = thick_beam(5);
  spec.tip = BezierEnd::as_printed;
  EXPECT_EQ(complaint(spec), "link 'arm': the printed end condition is one of the root; leave the tip free");
  spec = thick_beam(5);
  spec.shear = BezierShear::independent;
  spec.beam.stations[0].section.shear_y = 0;
  EXPECT_EQ(complaint(spec),
            "link 'arm': an independent section rotation needs a shear stiffness along y; give it, or let shear be "
            "eliminated");
  spec = thick_beam(5);
  spec.shear = BezierShear::independent;
  spec.beam.stations[0].section.rotary_z = 0;
  EXPECT_EQ(complaint(spec),
            "link 'arm': an independent section rotation needs a rotary inertia about z; give it, or let shear be "
            "eliminated");
  spec = thick_beam(5);
  spec.beam.length = -1;
  EXPECT_EQ(complaint(spec), "link 'arm': a beam of zero length; give a positive length");
}

}  // namespace
}  // namespace lithe
