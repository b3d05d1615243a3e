// Profiles from rest to rest and moves made of them. Expected durations and peaks are closed forms.

#include "lithe/laws/progress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lithe/laws/law.hpp"

namespace lithe {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Largest size of rate and second rate over a fine grid, and of differences of the second rate over the step.
struct Seen {
  double speed = 0.0, acceleration = 0.0, jerk = 0.0;
};
Seen look_at(const Progress& progress) {
  Seen seen;
  const int n = 20000;
  const double h = progress.duration() / n;
  double before = 0.0;
  for (int i = 0; i <= n; ++i) {
    const Jet jet = progress.at(progress.start() + i * h);
    seen.speed = std::max(seen.speed, std::abs(jet.rate));
    seen.acceleration = std::max(seen.acceleration, std::abs(jet.second));
    if (i > 0) seen.jerk = std::max(seen.jerk, std::abs(jet.second - before) / h);
    before = jet.second;
  }
  return seen;
}

/// Rate and second rate are the derivatives of the value: central differences of fourth order, away from the kinks.
void expect_consistent(const Progress& progress) {
  const double T = progress.duration(), h = 1e-4 * T;
  const auto value = [&](double t) { return progress.at(t); };
  for (int i = 1; i < 40; ++i) {
    const double t = T * (i + 0.137) / 41.0;
    const auto slope = [&](auto part) {
      return (part(value(t - 2 * h)) - 8 * part(value(t - h)) + 8 * part(value(t + h)) - part(value(t + 2 * h))) /
             (12 * h);
    };
    SCOPED_TRACE(t);
    // A kink of the acceleration within the stencil leaves an error of its jump times the step.
    EXPECT_NEAR(slope([](const Jet& j) { return j.value; }), value(t).rate, 1e-3 * progress.distance() / T);
    EXPECT_NEAR(slope([](const Jet& j) { return j.rate; }), value(t).second, 2e-2 * progress.distance() / (T * T));
  }
}

TEST(Progress, TrapezoidTakesSpeedOverAccelerationPlusDistanceOverSpeed) {
  // D = 3, v = 2, a = 4: ramps of v/a = 0.5 s, D/v - v/a = 1 s between them
  const Progress progress(MotionProfile::trapezoid, 3.0, {2.0, 4.0, infinity});
  EXPECT_NEAR(progress.duration(), 2.0 / 4.0 + 3.0 / 2.0, 1e-15);
  const Jet ramp = progress.at(0.25), cruise = progress.at(1.0), brake = progress.at(1.9);
  EXPECT_NEAR(ramp.value, 0.5 * 4.0 * 0.0625, 1e-15);
  EXPECT_NEAR(ramp.rate, 1.0, 1e-15);
  EXPECT_EQ(ramp.second, 4.0);
  EXPECT_NEAR(cruise.value, 1.5, 1e-15);
  EXPECT_NEAR(cruise.rate, 2.0, 1e-15);
  EXPECT_EQ(cruise.second, 0.0);
  EXPECT_NEAR(brake.value, 3.0 - 0.5 * 4.0 * 0.01, 1e-15);
  EXPECT_NEAR(brake.rate, 0.4, 1e-14);
  EXPECT_EQ(brake.second, -4.0);
  EXPECT_EQ(progress.at(2.0).value, 3.0);
  EXPECT_EQ(progress.at(2.0).rate, 0.0);
}

TEST(Progress, WithoutRoomForTheSpeedATrapezoidIsATriangle) {
  // D = 1, v = 10, a = 4: 2 sqrt(D/a)
  const Progress progress(MotionProfile::trapezoid, 1.0, {10.0, 4.0, infinity});
  EXPECT_NEAR(progress.duration(), 2.0 * std::sqrt(0.25), 1e-15);
  EXPECT_NEAR(progress.at(0.5).rate, 2.0, 1e-14);
}

TEST(Progress, JerkLimitedMoveHasTheClosedFormDurationInEachOfItsFourShapes) {
  // all limits reached: D/v + v/a + a/j
  EXPECT_NEAR(Progress(MotionProfile::jerk_limited, 5.0, {2.0, 4.0, 20.0}).duration(),
              5.0 / 2.0 + 2.0 / 4.0 + 4.0 / 20.0, 1e-14);
  // speed reached, acceleration not (v j < a^2): D/v + 2 sqrt(v/j)
  EXPECT_NEAR(Progress(MotionProfile::jerk_limited, 5.0, {2.0, 40.0, 20.0}).duration(), 2.5 + 2.0 * std::sqrt(0.1),
              1e-14);
  // acceleration reached, speed not: peak speed V with V^2/a + V a/j = D, duration 2 (V/a + a/j)
  const double V = 0.5 * 4.0 * (std::sqrt(0.04 + 4.0 * 1.0 / 4.0) - 0.2);
  EXPECT_NEAR(Progress(MotionProfile::jerk_limited, 1.0, {20.0, 4.0, 20.0}).duration(), 2.0 * (V / 4.0 + 0.2), 1e-14);
  // neither: 4 (D/(2 j))^(1/3)
  EXPECT_NEAR(Progress(MotionProfile::jerk_limited, 0.01, {20.0, 4.0, 20.0}).duration(), 4.0 * std::cbrt(0.01 / 40.0),
              1e-14);
}

TEST(Progress, SmoothProfilesTakeAsLongAsTheirTightestLimit) {
  const double pi = std::numbers::pi;
  // peaks of the quintic: 15/8 D/T, 10/sqrt(3) D/T^2, 60 D/T^3; of the cycloid 2, 2 pi, 4 pi^2
  EXPECT_NEAR(Progress(MotionProfile::quintic, 2.0, {0.5, infinity, infinity}).duration(), 15.0 / 8.0 * 2.0 / 0.5,
              1e-13);
  EXPECT_NEAR(Progress(MotionProfile::quintic, 2.0, {50.0, 3.0, infinity}).duration(),
              std::sqrt(10.0 / std::sqrt(3.0) * 2.0 / 3.0), 1e-13);
  EXPECT_NEAR(Progress(MotionProfile::quintic, 2.0, {50.0, 300.0, 3.0}).duration(), std::cbrt(60.0 * 2.0 / 3.0), 1e-13);
  EXPECT_NEAR(Progress(MotionProfile::cycloid, 2.0, {0.5, infinity, infinity}).duration(), 8.0, 1e-13);
  EXPECT_NEAR(Progress(MotionProfile::cycloid, 2.0, {50.0, 3.0, infinity}).duration(), std::sqrt(2.0 * pi * 2.0 / 3.0),
              1e-13);
  EXPECT_NEAR(Progress(MotionProfile::cycloid, 2.0, {50.0, 300.0, 3.0}).duration(),
              std::cbrt(4.0 * pi * pi * 2.0 / 3.0), 1e-13);
}

TEST(Progress, EveryProfileKeepsItsLimitsAndItsDerivatives) {
  const MotionLimits limits{1.3, 2.1, 9.0};
  for (const MotionProfile profile :
       {MotionProfile::trapezoid, MotionProfile::jerk_limited, MotionProfile::quintic, MotionProfile::cycloid}) {
    for (const double distance : {0.02, 0.3, 1.0, 7.0}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(profile) << " " << distance);
      const bool jumps = profile == MotionProfile::trapezoid;
      const Progress progress(profile, distance, {limits.speed, limits.acceleration, jumps ? infinity : limits.jerk});
      const Seen seen = look_at(progress);
      EXPECT_LE(seen.speed, limits.speed * (1 + 1e-12));
      EXPECT_LE(seen.acceleration, limits.acceleration * (1 + 1e-12));
      if (!jumps) {
        EXPECT_LE(seen.jerk, limits.jerk * (1 + 1e-6));  // differences round
      }
      const double reached = std::max(seen.speed / limits.speed, seen.acceleration / limits.acceleration);
      EXPECT_GT(jumps ? reached : std::max(reached, seen.jerk / limits.jerk), 0.999);  // no slower than allowed
      expect_consistent(progress);
      EXPECT_NEAR(progress.at(0.5 * progress.duration()).value, 0.5 * distance, 1e-14 * distance);
      EXPECT_EQ(progress.at(progress.duration()).value, distance);
    }
  }
}

TEST(Progress, AGivenDurationStretchesTheProfile) {
  const Progress fast(MotionProfile::jerk_limited, 5.0, {2.0, 4.0, 20.0});
  const Progress slow(MotionProfile::jerk_limited, 5.0, {2.0, 4.0, 20.0}, 2.0 * fast.duration());
  EXPECT_EQ(slow.duration(), 2.0 * fast.duration());
  for (const double part : {0.1, 0.3, 0.62, 0.9}) {
    const Jet quick = fast.at(part * fast.duration()), calm = slow.at(part * slow.duration());
    EXPECT_NEAR(calm.value, quick.value, 1e-14);
    EXPECT_NEAR(calm.rate, quick.rate / 2.0, 1e-14);
    EXPECT_NEAR(calm.second, quick.second / 4.0, 1e-13);
  }
  // without limits the phases are equally long: peak speed 3/2 D/T of a trapezoid, 7/4 D/T with ramps
  EXPECT_NEAR(Progress(MotionProfile::trapezoid, 2.0, {}, 4.0).at(2.0).rate, 1.5 * 2.0 / 4.0, 1e-14);
  EXPECT_NEAR(Progress(MotionProfile::jerk_limited, 2.0, {}, 4.0).at(2.0).rate, 7.0 / 4.0 * 2.0 / 4.0, 1e-14);
}

std::string refusal(MotionProfile profile, const MotionLimits& limits, std::optional<double> duration) {
  try {
    const Progress progress(profile, 1.0, limits, duration);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Progress, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal(MotionProfile::trapezoid, {2.0, infinity, infinity}, {}),
            "give a duration, or a limit of acceleration");
  EXPECT_EQ(refusal(MotionProfile::jerk_limited, {2.0, 1.0, infinity}, {}), "give a duration, or a limit of jerk");
  EXPECT_EQ(refusal(MotionProfile::cycloid, {}, {}), "give a duration, or a limit of speed, acceleration or jerk");
  EXPECT_EQ(refusal(MotionProfile::quintic, {}, -1.0), "the duration of a motion must be positive");
  EXPECT_EQ(refusal(MotionProfile::quintic, {-1.0, 1.0, 1.0}, {}), "limits of a motion must be positive");
  // 1 m at 2 m/s^2 without a limit of the speed: 2 sqrt(1/2) s
  EXPECT_EQ(refusal(MotionProfile::trapezoid, {infinity, 2.0, infinity}, 1.0),
            "1 s are too short for the limits; the motion takes at least 1.41421 s");
  // thirds: peak speed 1.5 m/s
  EXPECT_EQ(refusal(MotionProfile::trapezoid, {0.5, infinity, infinity}, 1.0),
            "1 s are too short for the limits; the motion takes at least 3 s");
}

TEST(Moves, StopAtEachValue) {
  MoveOptions options;
  options.profile = MotionProfile::trapezoid;
  options.limits = {2.0, 4.0, infinity};
  options.start = 1.0;
  options.dwell = 0.5;
  const Law law = make_moves({1.0, 4.0, 2.5}, options);
  // 3 in 2 s (above), rest, 1.5 back in 0.75 + 0.5 s
  EXPECT_EQ(law.at(0.3).value, 1.0);
  EXPECT_NEAR(law.at(2.0).value, 2.5, 1e-14);
  EXPECT_NEAR(law.at(2.0).rate, 2.0, 1e-14);
  EXPECT_EQ(law.at(3.2).value, 4.0);
  EXPECT_NEAR(law.at(3.75).rate, -1.0, 1e-14);
  EXPECT_EQ(law.at(3.75).second, -4.0);
  EXPECT_EQ(law.at(4.75).value, 2.5);
  const std::vector<double> expected{1.0, 1.5, 2.5, 3.0, 3.5, 4.0, 4.25, 4.75};
  const std::vector<double> kinks = law.breakpoints();
  ASSERT_EQ(kinks.size(), expected.size());
  for (std::size_t i = 0; i < kinks.size(); ++i) EXPECT_NEAR(kinks[i], expected[i], 1e-14);
}

TEST(Moves, PassValuesOnTheWay) {
  EXPECT_EQ(turning_values({0.0, 1.0, 3.0, 2.0, 2.5}), (std::vector<double>{0.0, 3.0, 2.0, 2.5}));
  EXPECT_EQ(turning_values({0.0, -1.0, -3.0}), (std::vector<double>{0.0, -3.0}));
  EXPECT_EQ(turning_values({1.0, 1.0, 2.0}), (std::vector<double>{1.0, 1.0, 2.0}));
}

TEST(Moves, JumpOnlyAtTheirBreakpoints) {
  // The sides of a breakpoint are told apart by the clock, wherever the moves begin.
  for (const double start : {0.0, 0.1, 1.0 / 3.0, 1e4}) {
    MoveOptions options;
    options.profile = MotionProfile::trapezoid;
    options.limits = {0.7, 1.1, infinity};
    options.start = start;
    const Law law = make_moves({0.0, 1.7}, options);
    const std::vector<double> kinks = law.breakpoints();
    const std::vector<double> after{1.1, 0.0, -1.1, 0.0};
    ASSERT_EQ(kinks.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(law.at(std::nextafter(kinks[i], infinity)).second, after[i]);
      EXPECT_EQ(law.at(std::nextafter(kinks[i], -infinity)).second, i == 0 ? 0.0 : after[i - 1]);
    }
  }
}

}  // namespace
}  // namespace lithe
