// Stress on the outline of cross sections, against formulas of textbooks.

#include "lithe/links/stress_section.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe {
namespace {

const Material steel{200e9, 7800, 0.3};
constexpr double pi = std::numbers::pi;

using Forces = std::array<double, 6>;  // N, Q_y, Q_z, M_x, M_y, M_z

double largest_mises(const Section& section, const Forces& forces) {
  double largest = 0.0;
  for (const Fibre& fibre : stress_section(section).fibres)
    largest = std::max(largest, std::hypot(fibre.normal(forces), std::sqrt(3.0) * fibre.shear(forces)));
  return largest;
}
double largest_shear(const Section& section, const Forces& forces) {
  return largest_mises(section, forces) / std::sqrt(3.0);
}

// N/A, 6 M/(b h^2) for each moment; they add up in a corner.
TEST(StressSection, RectangleInBending) {
  const double h = 0.03, b = 0.02;
  const Section s = rectangle(steel, h, b);
  EXPECT_NEAR(largest_mises(s, {1000, 0, 0, 0, 0, 0}), 1000 / (b * h), 1e-6);
  EXPECT_NEAR(largest_mises(s, {0, 0, 0, 0, 0, 5}), 6 * 5 / (b * h * h), 1e-6);
  EXPECT_NEAR(largest_mises(s, {0, 0, 0, 0, 5, 0}), 6 * 5 / (h * b * b), 1e-6);
  EXPECT_NEAR(largest_mises(s, {-1000, 0, 0, 0, -3, 5}), 1000 / (b * h) + 6 * 5 / (b * h * h) + 6 * 3 / (h * b * b),
              1e-6);
}

// Signs: with M_z = EI v'' > 0 the fibre at +y is pressed (strain -y v''), with M_y = -EI w'' > 0 that at +z is pulled.
// Of the four corners the one at (+y, +z) has the stress -M_z + M_y.
TEST(StressSection, SignsFollowTheCurvature) {
  const Section s = rectangle(steel, 0.02, 0.02);  // the same modulus both ways
  const double modulus = std::pow(0.02, 3) / 6;
  std::vector<double> corners;
  for (const Fibre& fibre : stress_section(s).fibres) corners.push_back(fibre.normal(Forces{0, 0, 0, 0, 2, 5}));
  const auto [least, most] = std::minmax_element(corners.begin(), corners.end());
  EXPECT_NEAR(*least, -7 / modulus, 1e-4);
  EXPECT_NEAR(*most, 7 / modulus, 1e-4);
}

// Transverse force: 3/2 of the mean in the middle of a rectangle, 4/3 of it in a circle; of a thin tube twice.
TEST(StressSection, ShearOfTransverseForces) {
  EXPECT_NEAR(largest_shear(rectangle(steel, 0.03, 0.02), {0, 100, 0, 0, 0, 0}), 1.5 * 100 / 6e-4, 1e-6);
  EXPECT_NEAR(largest_shear(rectangle(steel, 0.03, 0.02), {0, 0, 100, 0, 0, 0}), 1.5 * 100 / 6e-4, 1e-6);
  EXPECT_NEAR(largest_shear(circle(steel, 0.01), {0, 100, 0, 0, 0, 0}), 4.0 / 3 * 100 / (pi * 1e-4), 1e-6);
  const double r = 0.1, t = 1e-5, area = pi * (r * r - (r - t) * (r - t));
  EXPECT_NEAR(largest_shear(tube(steel, r, t), {0, 0, 100, 0, 0, 0}) * area / 100, 2.0, 1e-8);
}

// Torsion of rectangles: T/(k a b^2) with k = 0.208 (square), 0.246 (2:1), 0.282 (4:1), 0.312 (10:1), three digits, in
// the middle of the long side (Timoshenko and Goodier, Theory of Elasticity, table of rectangular bars).
TEST(StressSection, TorsionOfRectangles) {
  const double b = 0.01, torque = 3.0;
  for (const auto& [ratio, k] : {std::pair{1.0, 0.208}, {2.0, 0.246}, {4.0, 0.282}, {10.0, 0.312}}) {
    const double expected = torque / (k * ratio * b * b * b);
    EXPECT_NEAR(largest_shear(rectangle(steel, ratio * b, b), {0, 0, 0, torque, 0, 0}) / expected, 1.0, 3e-3) << ratio;
    EXPECT_NEAR(largest_shear(rectangle(steel, b, ratio * b), {0, 0, 0, torque, 0, 0}) / expected, 1.0, 3e-3) << ratio;
  }
}

// In the middle of a side the shear of torsion and that of a transverse force along the side add up on one face of the
// bar and cancel on the other.
TEST(StressSection, TorsionAndShearAddOnOneFace) {
  const Section s = rectangle(steel, 0.02, 0.02);
  const double torsion = largest_shear(s, {0, 0, 0, 1, 0, 0}), shear = largest_shear(s, {0, 50, 0, 0, 0, 0});
  EXPECT_NEAR(largest_shear(s, {0, 50, 0, 1, 0, 0}), torsion + shear, 1e-6 * torsion);
  EXPECT_NEAR(largest_shear(s, {0, 0, -50, 1, 0, 0}), torsion + shear, 1e-6 * torsion);
}

// Shaft: sigma = 4 M/(pi r^3), tau = 2 T/(pi r^3), von Mises sqrt(sigma^2 + 3 tau^2); fibres stand every 10 degrees, so
// bending about another axis is seen within 1 - cos(5 deg).
TEST(StressSection, ShaftInBendingAndTorsion) {
  const double r = 0.015, M = 40, T = 60, sigma = 4 * M / (pi * r * r * r), tau = 2 * T / (pi * r * r * r);
  const double expected = std::sqrt(sigma * sigma + 3 * tau * tau);
  EXPECT_NEAR(largest_mises(circle(steel, r), {0, 0, 0, T, 0, M}), expected, 1e-9 * expected);
  const double turned = std::numbers::pi / 36;
  const double seen = largest_mises(circle(steel, r), {0, 0, 0, 0, M * std::sin(turned), M * std::cos(turned)});
  EXPECT_NEAR(seen / sigma, std::cos(turned), 1e-9);
}

// Tube: 4 M R/(pi (R^4 - r^4)) and 2 T R/(pi (R^4 - r^4)).
TEST(StressSection, TubeInBendingAndTorsion) {
  const double R = 0.02, r = 0.017, ring = pi * (std::pow(R, 4) - std::pow(r, 4));
  EXPECT_NEAR(largest_mises(tube(steel, R, R - r), {0, 0, 0, 0, 7, 0}), 4 * 7 * R / ring, 1.0);
  EXPECT_NEAR(largest_shear(tube(steel, R, R - r), {0, 0, 0, 7, 0, 0}), 2 * 7 * R / ring, 1.0);
}

// An I of 100 x 60 mm, web 6 mm, flanges 10 mm, by hand (mm): A = 1200 + 480, I_z = (60 100^3 - 54 80^3)/12 = 2696000,
// I_y = (20 60^3 + 80 6^3)/12 = 361440. First moment of a flange 60 10 45 = 27000, of half the section 27000 + 6 40^2/2
// = 31800. Torsion constant (2 60 10^3 + 80 6^3)/3 = 45760, largest in the flanges: T 10/45760.
TEST(StressSection, IShape) {
  const Section s = i_shape(steel, 0.1, 0.06, 0.006, 0.01);
  EXPECT_NEAR(largest_mises(s, {1000, 0, 0, 0, 0, 0}), 1000 / 1680e-6, 1.0);
  EXPECT_NEAR(largest_mises(s, {0, 0, 0, 0, 0, 100}), 100 * 0.05 / 2696000e-12, 1e2);
  EXPECT_NEAR(largest_mises(s, {0, 0, 0, 0, 100, 0}), 100 * 0.03 / 361440e-12, 1e2);
  EXPECT_NEAR(largest_shear(s, {0, 1000, 0, 0, 0, 0}), 1000 * 31800e-9 / (2696000e-12 * 0.006), 1e2);
  EXPECT_NEAR(largest_shear(s, {0, 0, 0, 10, 0, 0}), 10 * 0.01 / 45760e-12, 1e2);
  // Bending and transverse force where web and flange meet: sigma = M 40/I, tau = Q 27000/(I 6).
  const double sigma = 3000 * 0.04 / 2696000e-12, tau = 60000 * 27000e-9 / (2696000e-12 * 0.006);
  double at_junction = 0.0;
  for (const Fibre& fibre : stress_section(s).fibres) {
    const Forces forces{0, 60000, 0, 0, 0, 3000};
    if (std::abs(std::abs(fibre.normal(forces)) - sigma) < 1e-6 * sigma) at_junction = std::abs(fibre.shear(forces));
  }
  EXPECT_NEAR(at_junction, tau, 1e-9 * tau);
}

TEST(StressSection, GivenByItsModuli) {
  Section s;
  s.moduli = {1e-4, 2e-6, 1e-6, 4e-6};
  EXPECT_NEAR(largest_mises(s, {100, 5000, 0, 0, -3, 5}), 100 / 1e-4 + 3 / 1e-6 + 5 / 2e-6, 1e-3);
  EXPECT_NEAR(largest_shear(s, {0, 0, 0, 8, 0, 0}), 8 / 4e-6, 1e-3);
  EXPECT_TRUE(stress_section(Section{}).fibres.empty());
}

TEST(StressSection, OfABar) {
  const StressSection bar = stress_section_of_bar(2e-4, {235e6, {}});
  ASSERT_EQ(bar.fibres.size(), 1u);
  EXPECT_EQ(bar.fibres[0].normal(Forces{100, 1, 1, 1, 1, 1}), 100 / 2e-4);
  EXPECT_EQ(bar.fibres[0].shear(Forces{100, 1, 1, 1, 1, 1}), 0.0);
  EXPECT_TRUE(stress_section_of_bar(0.0, {}).fibres.empty());
}

// A taper between sections of one kind has fibres that follow its dimensions; the strength is that of the nearer end.
TEST(StressSection, BetweenTwoSections) {
  Material strong = steel;
  strong.strength.yield = 500e6;
  const Section middle = interpolate(rectangle(steel, 0.02, 0.01), rectangle(strong, 0.04, 0.01), 0.6);
  EXPECT_NEAR(largest_mises(middle, {0, 0, 0, 0, 0, 1}), 6 / (0.01 * 0.032 * 0.032), 1e-3);
  EXPECT_EQ(stress_section(middle).strength.yield, 500e6);
}

}  // namespace
}  // namespace lithe
