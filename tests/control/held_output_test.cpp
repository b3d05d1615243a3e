// What an amplifier makes of a controller's numbers, against the solutions of its differential equations.

#include "lithe/control/held_output.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe::testing {
namespace {

constexpr double rounding = 1e-14;

TEST(HeldOutput, HoldsWhatIsAskedForWithinItsLimits) {
  HeldOutput output({-2.0, 3.0});
  EXPECT_EQ(output.at(0.0), 0.0);
  output.set(1.0, 2.5);
  EXPECT_EQ(output.at(1.0), 2.5);
  EXPECT_EQ(output.at(7.0), 2.5);
  output.set(8.0, 9.0);
  EXPECT_EQ(output.at(8.0), 3.0);
  output.set(9.0, -9.0);
  EXPECT_EQ(output.at(9.5), -2.0);
}

TEST(HeldOutput, RisesNoFasterThanItsRate) {
  HeldOutput output({-10.0, 10.0, 4.0});
  output.set(1.0, 2.0);  // half a second
  EXPECT_NEAR(output.at(1.25), 1.0, rounding);
  EXPECT_NEAR(output.kink(), 1.5, rounding);
  EXPECT_NEAR(output.at(1.5), 2.0, rounding);
  EXPECT_NEAR(output.at(3.0), 2.0, rounding);
  output.set(1.25, -20.0);  // on the way: from 1 to the limit
  EXPECT_NEAR(output.at(1.5), 0.0, rounding);
  EXPECT_NEAR(output.kink(), 1.25 + 11.0 / 4.0, rounding);
}

// y' = (u - y)/T: y = u (1 - exp(-t/T)).
TEST(HeldOutput, FollowsWithALag) {
  OutputLimits limits;
  limits.lag = 0.2;
  HeldOutput output(limits);
  output.set(0.0, 5.0);
  EXPECT_NEAR(output.at(0.3), 5.0 * (1.0 - std::exp(-1.5)), rounding);
  const double there = output.at(0.3);
  output.set(0.3, -1.0);
  EXPECT_NEAR(output.at(0.3), there, rounding);
  EXPECT_NEAR(output.at(0.5), -1.0 + (there + 1.0) * std::exp(-1.0), rounding);
}

// y' = (r t - y)/T: y = r (t - T (1 - exp(-t/T))); after the ramp the rest fades.
TEST(HeldOutput, LagsBehindARamp) {
  OutputLimits limits;
  limits.rate = 3.0;
  limits.lag = 0.1;
  HeldOutput output(limits);
  output.set(0.0, 1.5);
  const auto on_ramp = [](double t) { return 3.0 * (t - 0.1 * (1.0 - std::exp(-10.0 * t))); };
  EXPECT_NEAR(output.at(0.2), on_ramp(0.2), rounding);
  EXPECT_NEAR(output.at(0.5), on_ramp(0.5), rounding);
  EXPECT_NEAR(output.at(0.8), 1.5 + (on_ramp(0.5) - 1.5) * std::exp(-3.0), rounding);
}

}  // namespace
}  // namespace lithe::testing
