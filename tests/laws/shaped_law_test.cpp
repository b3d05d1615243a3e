// Late copies and averages of laws, against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lithe/laws/law.hpp"
#include "lithe/laws/path.hpp"

namespace lithe {
namespace {

constexpr double pi_of_shapes = std::numbers::pi;

// t^2 and 0.3 of it 0.5 s later, 0.7 of it at once.
TEST(ShapedLaw, AddsLateCopies) {
  const Law law = shaped_law(PolynomialCoefficients{{0.0, 0.0, 1.0}}, {{0.0, 0.7}, {0.5, 0.3}});
  for (const double t : {-1.0, 0.0, 0.2, 3.0}) {
    const Jet jet = law.at(t);
    EXPECT_NEAR(jet.value, 0.7 * t * t + 0.3 * (t - 0.5) * (t - 0.5), 1e-14);
    EXPECT_NEAR(jet.rate, 1.4 * t + 0.6 * (t - 0.5), 1e-14);
    EXPECT_NEAR(jet.second, 2.0, 1e-14);
  }
}

TEST(ShapedLaw, BreaksWhereItsCopiesDo) {
  const Law law = shaped_law(CycloidLaw{0.0, 1.0, 0.0, 2.0}, {{0.0, 0.5}, {0.25, 0.5}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.0, 0.25, 2.0, 2.25}));
}

// The acceleration of a trapezoid jumps; a copy late by a third, which no binary number is, jumps at its own kink and not a
// rounding earlier or later.
TEST(ShapedLaw, KeepsToItsSideOfAKink) {
  MoveOptions options;
  options.profile = MotionProfile::trapezoid;
  options.durations = {0.9};
  const Law command = make_moves({0.0, 1.0}, options);
  const double late = 1.0 / 3.0;
  const Law law = shaped_law(command, {{late, 1.0}});
  for (const double kink : command.breakpoints()) {
    const double there = kink + late, before = std::nextafter(there, 0.0);
    EXPECT_EQ(law.at(there).second, command.at(kink).second) << kink;
    EXPECT_EQ(law.at(before).second, command.at(std::nextafter(kink, -1.0)).second) << kink;
  }
}

// Averages over w of 1, t and t^2: 1, t - w/2, t^2 - t w + w^2/3.
TEST(SmoothedLaw, OfAParabola) {
  const double w = 0.4;
  const Law law = smoothed_law(PolynomialCoefficients{{1.0, 2.0, 3.0}}, w);
  for (const double t : {-0.3, 0.0, 0.1, 2.0}) {
    const Jet jet = law.at(t);
    EXPECT_NEAR(jet.value, 1.0 + 2.0 * (t - w / 2) + 3.0 * (t * t - t * w + w * w / 3), 1e-13);
    EXPECT_NEAR(jet.rate, 2.0 + 3.0 * (2 * t - w), 1e-13);
    EXPECT_NEAR(jet.second, 6.0, 1e-12);
  }
}

// The integral of tau - sin(2 pi tau)/(2 pi) is tau^2/2 + cos(2 pi tau)/(4 pi^2) - 1/(4 pi^2); before 0 there is none, and beyond 1 it
// grows like tau.
TEST(SmoothedLaw, OfACycloidBeyondItsEnds) {
  const auto area = [](double tau) {
    if (tau <= 0.0) return 0.0;
    const double inside = std::min(tau, 1.0), turn = 2 * pi_of_shapes;
    return inside * inside / 2 + (std::cos(turn * inside) - 1.0) / (turn * turn) + std::max(0.0, tau - 1.0);
  };
  const Law law = smoothed_law(CycloidLaw{0.0, 1.0, 0.0, 1.0}, 0.3);
  for (const double t : {0.1, 0.3, 0.7, 1.1, 1.25, 1.3, 2.0})
    EXPECT_NEAR(law.at(t).value, (area(t) - area(t - 0.3)) / 0.3, 1e-14) << t;
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.0, 0.3, 1.0, 1.3}));
}

TEST(SmoothedLaw, RefusesNoWindow) {
  EXPECT_THROW(smoothed_law(ConstantLaw{1.0}, 0.0), std::invalid_argument);
  EXPECT_THROW(shaped_law(ConstantLaw{1.0}, {}), std::invalid_argument);
}

// A circle that is travelled by a shaped arc length stays a circle, and its speed is that of the arc length.
TEST(Path, StaysOnItsCurveWhenItsTimingIsShaped) {
  PathTiming timing;
  timing.duration = 1.0;
  Path path(Curve::circle(Vec3::Zero(), Vec3::UnitZ(), Vec3::UnitX(), 1.0), timing);
  path.change_timing([](const Law& law) { return shaped_law(law, {{0.0, 0.5}, {0.2, 0.5}}); });
  EXPECT_NEAR(path.end(), 1.2, 1e-15);
  for (const double t : {0.1, 0.5, 0.9, 1.1}) {
    const PathPoint point = path.at(t);
    EXPECT_NEAR(point.position.norm(), 1.0, 1e-14);
    EXPECT_NEAR(point.velocity.norm(), std::abs(path.travelled(t).rate), 1e-13);
  }
}

TEST(Path, WithCornersIsNotShaped) {
  PathTiming timing;
  timing.duration = 1.0;
  Path path(Curve::lines({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, 0.0), timing);
  EXPECT_THROW(path.change_timing([](const Law& law) { return law; }), std::invalid_argument);
}

}  // namespace
}  // namespace lithe
