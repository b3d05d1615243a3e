// The orders of convergence that the charts of docs/verification/links.md show, from their numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "studies.hpp"

namespace lithe::verification {
namespace {

const Series& named(const Chart& chart, const std::string& name, std::size_t from = 0) {
  for (std::size_t i = from; i < chart.series.size(); ++i)
    if (chart.series[i].name == name) return chart.series[i];
  throw std::out_of_range(name);
}

// Cubic deflections: curvature of second order, energy and so the squares of frequencies of order 2 x 2. From eight
// elements on, where mode 3 has settled, to sixteen: finer meshes of mode 1 come near the rounding of the eigenvalues
// (1e-16 times the square of the largest over the smallest frequency, 1e-9).
TEST(LinkConvergence, BendingIsOfFourthOrder) {
  const Chart chart = beam_mesh();
  ASSERT_EQ(chart.series.size(), 7U);
  for (const std::size_t i : {0, 1, 2, 5, 6})  // Euler-Bernoulli, tapered
    EXPECT_NEAR(observed_order(chart.series[i], 8, 16), 4.0, 0.1) << i;
}

// The shear strain of an element is constant, so with shear the order is 2 x 1. The part of the energy that is missed
// is known: h^2/12 times the mean square of Q' = -f^2 w over kappa G A, that is f^2 s h^2/24 of the frequency (s =
// 1/(kappa G A) = 0.01, mass-normalised w; rotary inertia takes a little of the kinetic energy, which the band allows
// for).
TEST(LinkConvergence, ShearIsOfSecondOrder) {
  const Chart chart = beam_mesh();
  const double frequency[2] = {3.4187200085, 18.6135652043};  // tests/oracles/beam_frequencies.json
  for (const std::size_t mode : {0, 1}) {
    const Series& series = chart.series[3 + mode];
    EXPECT_NEAR(observed_order(series, 8, 32), 2.0, 0.05);
    const double predicted = frequency[mode] * frequency[mode] * 0.01 / (24.0 * 32 * 32);
    EXPECT_NEAR(series.y.back() / predicted, 1.0, mode == 0 ? 0.03 : 0.15);
  }
}

TEST(LinkConvergence, BucklingIsOfFourthOrder) {
  for (const Series& series : beam_buckling().series) {
    EXPECT_NEAR(observed_order(series, 4, 16), 4.0, 0.1) << series.name;
    // The bound of issue and reference, 1e-4, needs few elements.
    EXPECT_LT(series.y[5], 1e-4) << "eight elements";
  }
}

// Shear of the diagonals and rotary inertia fall with the square of the slenderness.
TEST(LinkConvergence, TrussBecomesABeam) {
  const Chart chart = truss_boom();
  EXPECT_NEAR(observed_order(chart.series[0], 28, 80), 2.0, 0.05);
}

// Polynomials converge faster than any power; the printed end condition does not let the root carry a moment, and its
// error is about the inverse of the degree squared: 3.27 percent at degree 9 (Brillarelli reference 3.1).
TEST(LinkConvergence, GlobalShapes) {
  const Chart chart = global_shapes();
  const Series& clamped = named(chart, "Bezier, clamped, mode 1");
  ASSERT_GE(clamped.x.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_LT(clamped.y[i], 0.1 * clamped.y[i - 1]) << clamped.x[i];
  const Series& third = named(chart, "mode 3");
  EXPECT_LT(third.y.back(), 1e-8);
  const Series& printed = named(chart, "Bezier, end condition as printed, mode 1");
  EXPECT_NEAR(printed.y[6], 0.0327, 5e-5) << "degree 9";
  EXPECT_NEAR(observed_order(printed, 7, 11), 2.0, 0.3);
  // Ritz: never below, and never worse with more shapes.
  const Series& assumed = named(chart, "assumed modes, tapered beam, mode 1");
  for (std::size_t i = 1; i < assumed.y.size(); ++i) EXPECT_LE(assumed.y[i], assumed.y[i - 1] * (1 + 1e-6));
  EXPECT_LT(assumed.y.back(), 1e-7);
}

// 4/x^4 summed over the modes left out, x about (n + 1/2) pi: the tail falls as n^-3. The static shape leaves rounding.
TEST(LinkConvergence, StaticShapesCarryTheLoad) {
  const Chart chart = static_shapes();
  EXPECT_NEAR(observed_order(chart.series[0], 4, 12), 3.0, 0.15);
  for (const double error : chart.series[1].y) EXPECT_LT(error, 1e-9);
}

// Every inner mode helps every frequency; with as many as the mode number one has the frequency to a percent.
TEST(LinkConvergence, CraigBampton) {
  const Chart chart = craig_bampton();
  for (std::size_t mode = 0; mode < chart.series.size(); ++mode) {
    const Series& series = chart.series[mode];
    for (std::size_t i = 1; i < series.y.size(); ++i) EXPECT_LT(series.y[i], series.y[i - 1]) << mode;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      if (series.x[i] >= static_cast<double>(mode)) EXPECT_LT(series.y[i], 0.01) << mode;
    }
  }
}

// Beam theory stays within half a percent or so of the solid, however fine the beam.
TEST(LinkConvergence, SolidModel) {
  const Chart chart = calculix_tube();
  for (std::size_t i = 0; i < 4; ++i) {
    const Series& series = chart.series[i];
    EXPECT_LT(std::abs(series.y.back()), 1.0) << series.name;
    EXPECT_NEAR(series.y.back(), series.y[series.y.size() - 2], 0.02) << series.name << ": converged";
  }
}

TEST(Charts, AreDrawn) {
  for (const Chart& chart : link_charts()) {
    const std::string svg = svg_chart(chart);
    EXPECT_TRUE(svg.starts_with("<svg ")) << chart.file;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << chart.file;
    for (const Series& series : chart.series) EXPECT_EQ(series.x.size(), series.y.size()) << chart.file;
  }
}

}  // namespace
}  // namespace lithe::verification
