// Rotations as rotation vectors since a start, against differences of the rotation itself.
#include "lithe/simulation/rotation_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe::detail {
namespace {

/// A motion in the chart with all its derivatives.
ChartMotion chart_at(double t) {
  return {Vec3(0.9 * std::sin(t), 0.4 * t, -0.7 + t * t), Vec3(0.9 * std::cos(t), 0.4, 2 * t),
          Vec3(-0.9 * std::sin(t), 0.0, 2.0)};
}

/// Angular velocity in body axes: skew = R^T R', by a central difference of fourth order.
Vec3 omega_by_differences(double t) {
  constexpr double h = 1e-3;
  const auto turn = [](double s) { return rotation_from_vector(chart_at(s).theta); };
  const Mat3 rate = (8.0 * (turn(t + h) - turn(t - h)) - (turn(t + 2 * h) - turn(t - 2 * h))) / (12.0 * h);
  const Mat3 spin = turn(t).transpose() * rate;
  return {spin(2, 1), spin(0, 2), spin(1, 0)};
}

// Differences of fourth order with h = 1e-3: h^4 times derivatives of order one, and rounding over h.
TEST(RotationChart, BodyMotionIsThatOfTheRotation) {
  for (const double t : {-0.3, 0.0, 0.2, 0.7}) {
    const BodyMotion body = body_motion(chart_at(t));
    EXPECT_LT((body.omega - omega_by_differences(t)).norm(), 1e-10) << t;
    constexpr double h = 1e-3;
    const auto omega = [](double s) { return body_motion(chart_at(s)).omega; };
    const Vec3 alpha = (8.0 * (omega(t + h) - omega(t - h)) - (omega(t + 2 * h) - omega(t - 2 * h))) / (12.0 * h);
    EXPECT_LT((body.alpha - alpha).norm(), 1e-9) << t;
  }
}

TEST(RotationChart, ThereAndBack) {
  for (const double size : {0.0, 1e-9, 0.00999, 0.01001, 0.5, 1.9}) {
    const ChartMotion there{size * Vec3(0.6, -0.64, 0.48), Vec3(1, 2, 3), Vec3(-3, 1, 2)};
    const ChartMotion back = chart_motion(there.theta, body_motion(there));
    EXPECT_LT((back.rate - there.rate).norm(), 1e-13) << size;
    EXPECT_LT((back.second - there.second).norm(), 1e-11)
        << size;  // slopes of the coefficients at 0.01 lose four digits
  }
}

// From another start the rotation and its body motion are the same.
TEST(RotationChart, AnotherStartShowsTheSameMotion) {
  const ChartMotion motion = chart_at(0.4);
  const Vec3 start = chart_at(0.1).theta;
  const ChartMotion other = in_chart_from(start, motion);
  const Mat3 turn = rotation_from_vector(start) * rotation_from_vector(other.theta);
  EXPECT_LT((turn - rotation_from_vector(motion.theta)).norm(), 1e-14);
  const BodyMotion a = body_motion(motion), b = body_motion(other);
  EXPECT_LT((a.omega - b.omega).norm(), 1e-13);
  EXPECT_LT((a.alpha - b.alpha).norm(), 1e-12);
}

}  // namespace
}  // namespace lithe::detail
