// Korayem, Shafei (2009), as in the reference korayem-gibbs-appell.md: the links of the planar arm (3.1, 3.2; tests
// T4(a), T4(c)) and of the spatial unit test S3 (section 5). Numbers are those of the reference, closed forms and its
// own independent computation; the source prints no formula for its mode.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/links/assumed_modes.hpp"
#include "lithe/links/modes.hpp"

namespace lithe {
namespace {

StraightBeam uniform(double length, double mass_per_length, double bending, double torsion = 0.0) {
  StraightBeam beam;
  beam.length = length;
  Section section;
  section.mass_per_length = mass_per_length;
  section.bending_y = section.bending_z = bending;
  section.torsion = torsion;
  beam.stations = {{0.0, section}};
  return beam;
}

/// Coordinates are the amplitudes of the shapes themselves.
LinkData in_amplitudes(const ElasticModel& model) { return reduced_link("link", model, all_coordinates(model), false); }

// Table of 3.2: int phi^2 = l, clamped-free.
TEST(Korayem, ModeShape) {
  const std::vector<ModeFunction> modes = bending_modes(BendingFamily::clamped_free, 3, 1.0);
  const double root[3] = {1.875104068712, 4.694091132974, 7.854757438238};
  const double tip[3] = {2, -2, 2}, tip_slope[3] = {2.753010969, -9.561556820, 15.697332093};
  const double middle[3] = {0.679046226, 1.427331664, 0.039375190};
  const double middle_slope[3] = {2.326108901, -0.906283975, -11.103998069};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(modes[r].wave_number, root[r], 2e-12);
    EXPECT_NEAR(modes[r](0, 1.0), tip[r], 1e-12);
    EXPECT_NEAR(modes[r](1, 1.0), tip_slope[r], 1e-9);
    EXPECT_NEAR(modes[r](0, 0.5), middle[r], 1e-9);
    EXPECT_NEAR(modes[r](1, 0.5), middle_slope[r], 1e-9);
  }
}

class KorayemArm : public ::testing::Test {
 protected:
  static LinkData link(int modes) {
    AssumedModesSpec spec;
    spec.beam = uniform(1.0, 5.0, 1000.0);
    spec.along_y = {BendingFamily::clamped_free, modes};
    return in_amplitudes(assumed_modes_model("link", spec));
  }
};

// Closed-form integrals of 3.2 in the table's form: 2 kappa/(beta l), 2/(beta l)^2, (beta l)^4.
TEST_F(KorayemArm, IntegralsOfThreeModes) {
  const LinkData l = link(3);
  const double mean[3] = {0.7829917560, 0.4339358951, 0.2544252969};
  const double moment[3] = {0.5688257437, 0.0907667869, 0.0324163744};
  const double power[3] = {12.36236337, 485.51881851, 3806.54626639};
  for (int r = 0; r < 3; ++r) {
    EXPECT_NEAR(l.elastic.translation(1, r), 5 * mean[r], 5e-10);
    EXPECT_NEAR(l.elastic.rotation(2, r), 5 * moment[r], 5e-10);
    EXPECT_NEAR(l.elastic.stiffness(r, r), 1000 * power[r], 1e-8 * 1000 * power[r]);
    for (int s = 0; s < 3; ++s) {
      EXPECT_NEAR(l.elastic.mass(r, s), r == s ? 5.0 : 0.0, 1e-12);
      if (r != s) EXPECT_NEAR(l.elastic.stiffness(r, s), 0.0, 1e-12 * l.elastic.stiffness(2, 2));
    }
  }
}

// "Modal constants for the example", 3.2.
TEST_F(KorayemArm, ModalConstants) {
  const LinkData l = link(1);
  const ElasticData& e = l.elastic;
  EXPECT_LT((e.translation - Vec3(0, 3.9149587802, 0)).norm(), 1e-10);
  EXPECT_LT((e.rotation - Vec3(0, 0, 2.8441287185)).norm(), 1e-10);
  EXPECT_NEAR(e.mass(0, 0), 5.0, 1e-12);
  EXPECT_NEAR(e.stiffness(0, 0), 12362.36336833, 1e-7);
  // c_mat = int mu eta~^T r~: entry (y, x) is minus int mu eta r_y, all others vanish.
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(e.position_shape[a][b][0], a == 0 && b == 1 ? 2.8441287185 : 0.0, 1e-10);
  // mc = int mu (r.r I - r r^T) = diag(5, 0, 5).
  Mat3 second;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) second(a, b) = e.shape_shape[a][b](0, 0);
  const Mat3 mc = second.trace() * Mat3::Identity() - second;
  EXPECT_LT((mc - Mat3(Vec3(5, 0, 5).asDiagonal())).norm(), 1e-12);
  // c_i about the root.
  const Mat3 about_root = l.inertia - l.mass * skew(l.centre) * skew(l.centre);
  EXPECT_LT((about_root - Mat3(Vec3(0, 5.0 / 3, 5.0 / 3).asDiagonal())).norm(), 1e-12);
  const Frame& tip = l.frames[l.find_frame("tip")];
  EXPECT_LT((tip.shape - Vec3(0, 2, 0)).norm(), 1e-12);
  EXPECT_LT((tip.turn - Vec3(0, 0, 2.753010969)).norm(), 1e-9);
}

// T4(a): joint locked, one mode.
TEST_F(KorayemArm, LockedFrequency) {
  const LinkData l = link(1);
  EXPECT_NEAR(std::sqrt(l.elastic.stiffness(0, 0) / l.elastic.mass(0, 0)), 49.7240, 5e-5);
}

// T4(c): horizontal cantilever under its own weight; one mode is 1.34 percent off the exact mu g l^4/(8 EI).
TEST_F(KorayemArm, StaticDeflection) {
  const LinkData l = link(1);
  const double g = 9.81, exact = 5 * g / (8 * 1000.0);
  const double tip = 2 * l.elastic.translation(1, 0) * g / l.elastic.stiffness(0, 0);
  EXPECT_NEAR(tip, 6.2133e-3, 5e-8);
  EXPECT_NEAR(exact, 6.13125e-3, 1e-12);
  EXPECT_NEAR(tip / exact, 1.0134, 5e-5);
}

// Section 6: a point payload adds its mass times the integrands at its place.
TEST_F(KorayemArm, Payload) {
  AssumedModesSpec spec;
  spec.beam = uniform(1.0, 5.0, 1000.0);
  spec.along_y = {BendingFamily::clamped_free, 2};
  const LinkData bare = in_amplitudes(assumed_modes_model("link", spec));
  spec.beam.masses = {{1.0, 0.7, Vec3::Zero(), Mat3::Zero()}};
  const LinkData loaded = in_amplitudes(assumed_modes_model("link", spec));
  const Eigen::RowVector2d tip(2, -2);
  EXPECT_NEAR(loaded.mass - bare.mass, 0.7, 1e-14);
  EXPECT_LT((loaded.elastic.mass - bare.elastic.mass - 0.7 * tip.transpose() * tip).norm(), 1e-11);
  EXPECT_LT((loaded.elastic.translation.row(1) - bare.elastic.translation.row(1) - 0.7 * tip).norm(), 1e-11);
  EXPECT_LT((loaded.elastic.rotation.row(2) - bare.elastic.rotation.row(2) - 0.7 * tip).norm(), 1e-11);
}

// Integrals of the three links of S3, whose modes are the polynomials x^2 in bending and x in torsion.
TEST(KorayemSpatial, PolynomialLinks) {
  AssumedModesSpec first;
  first.beam = uniform(1.0, 5.0, 1000.0, 800.0);
  first.along_y.polynomials = first.along_z.polynomials = {{0, 0, 1}};
  const ElasticData one = in_amplitudes(assumed_modes_model("one", first)).elastic;
  EXPECT_NEAR(one.translation(1, 0), 5.0 / 3, 1e-14);
  EXPECT_NEAR(one.translation(2, 1), 5.0 / 3, 1e-14);
  EXPECT_LT((one.rotation.col(0) - Vec3(0, 0, 1.25)).norm(), 1e-14);
  EXPECT_LT((one.rotation.col(1) - Vec3(0, -1.25, 0)).norm(), 1e-14);
  EXPECT_LT((one.mass - MatrixX::Identity(2, 2)).norm(), 1e-14);
  // c_112 = int mu r_1 x r_2 = {1, 0, 0}: y of the first times z of the second.
  EXPECT_NEAR(one.shape_shape[1][2](0, 1), 1.0, 1e-14);
  EXPECT_LT((one.stiffness - 4000 * MatrixX::Identity(2, 2)).norm(), 1e-10);

  AssumedModesSpec second;
  second.beam = uniform(0.8, 3.0, 500.0, 400.0);
  second.along_y.polynomials = {{0, 0, 1}};
  second.torsion.polynomials = {{0, 1}};
  const ElasticData two = in_amplitudes(assumed_modes_model("two", second)).elastic;
  EXPECT_NEAR(two.translation(1, 0), 0.8, 1e-14);
  EXPECT_NEAR(two.rotation(2, 0), 0.48, 1e-14);
  EXPECT_NEAR(two.mass(0, 0), 0.48, 1e-14);
  EXPECT_NEAR(two.stiffness(0, 0), 3906.25, 1e-10);
  EXPECT_NEAR(two.stiffness(1, 1), 500.0, 1e-11);
  EXPECT_EQ(two.mass(1, 1), 0.0) << "a line of mass has no inertia about itself";
  EXPECT_EQ(two.names[1], "torsion 1");

  AssumedModesSpec third;
  third.beam = uniform(0.5, 2.0, 200.0);
  third.along_z.polynomials = {{0, 0, 1}};
  const ElasticData three = in_amplitudes(assumed_modes_model("three", third)).elastic;
  EXPECT_NEAR(three.translation(2, 0), 1.0 / 3, 1e-14);
  EXPECT_NEAR(three.rotation(1, 0), -0.125, 1e-14);
  EXPECT_NEAR(three.mass(0, 0), 0.2, 1e-14);
  EXPECT_NEAR(three.stiffness(0, 0), 6400.0, 1e-10);
}

}  // namespace
}  // namespace lithe
