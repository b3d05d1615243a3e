// Curves by arc length, laws of rotation, paths. Expected numbers are closed forms; derivatives are held against
// differences of eighth order.

#include "lithe/laws/path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "support/allocation_counter.hpp"

namespace lithe {
namespace {

/// First derivative of order 8; with h = 1e-3 of the scale of f its rounding is some 1e-13 of f over h.
template <class F>
auto slope(F f, double x, double h) -> decltype(f(x)) {
  return ((4.0 / 5.0) * (f(x + h) - f(x - h)) - (1.0 / 5.0) * (f(x + 2 * h) - f(x - 2 * h)) +
          (4.0 / 105.0) * (f(x + 3 * h) - f(x - 3 * h)) - (1.0 / 280.0) * (f(x + 4 * h) - f(x - 4 * h))) /
         h;
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LE((a - b).norm(), tolerance) << a.transpose() << " / " << b.transpose();
}

/// Unit tangent, curvature and its rate are the derivatives of the position, at places where none of them jumps.
void expect_curve(const Curve& curve, const std::vector<double>& parts) {
  const double L = curve.length(), h = 2e-3 * L;
  for (const double part : parts) {
    SCOPED_TRACE(part);
    const double s = part * L;
    const CurvePoint point = curve.at(s);
    EXPECT_NEAR(point.tangent.norm(), 1.0, 1e-13);
    EXPECT_NEAR(point.tangent.dot(point.second) * L, 0.0, 1e-11);
    expect_near(slope([&](double x) -> Vec3 { return curve.at(x).position; }, s, h), point.tangent, 1e-9);
    expect_near(slope([&](double x) -> Vec3 { return curve.at(x).tangent; }, s, h) * L, point.second * L, 1e-7);
    expect_near(slope([&](double x) -> Vec3 { return curve.at(x).second; }, s, h) * L * L, point.third * L * L, 1e-6);
  }
}

TEST(Curve, LinesStopAtTheirCorners) {
  const Curve curve = Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {3, 8, 0}});
  EXPECT_EQ(curve.length(), 11.0);
  EXPECT_EQ(curve.stops(), (std::vector<double>{3.0}));  // straight on at the third point
  EXPECT_EQ(curve.points(), (std::vector<double>{0.0, 3.0, 7.0, 11.0}));
  expect_near(curve.at(5.0).position, {3, 2, 0}, 1e-15);
  expect_near(curve.at(5.0).tangent, {0, 1, 0}, 1e-15);
  expect_near(curve.at(99.0).position, {3, 8, 0}, 1e-15);
}

TEST(Curve, RoundedCornersAreArcs) {
  // a right angle cut 1 m from its corner: radius 1, a quarter of a circle
  const Curve curve = Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}, 1.0);
  EXPECT_NEAR(curve.length(), 2.0 + 0.5 * std::numbers::pi + 3.0, 1e-15);
  EXPECT_TRUE(curve.stops().empty());
  ASSERT_EQ(curve.bends().size(), 2U);
  EXPECT_NEAR(curve.bends()[0], 2.0, 1e-15);
  EXPECT_NEAR(curve.bends()[1], 2.0 + 0.5 * std::numbers::pi, 1e-15);
  const double r = std::sqrt(0.5);
  const CurvePoint middle = curve.at(2.0 + 0.25 * std::numbers::pi);
  expect_near(middle.position, {2.0 + r, 1.0 - r, 0.0}, 1e-15);
  expect_near(middle.tangent, {r, r, 0.0}, 1e-15);
  expect_near(middle.second, {-r, r, 0.0}, 1e-15);
  expect_curve(curve, {0.1, 0.42, 0.9});
}

TEST(Curve, CirclesTurnRightHandedAboutTheirNormal) {
  const Curve curve = Curve::circle({1, 2, 3}, {0, 0, 2}, {1.5, 2, 3}, 2.0);
  EXPECT_NEAR(curve.length(), 2.0 * 2.0 * std::numbers::pi * 0.5, 1e-15);
  expect_near(curve.at(0.25 * std::numbers::pi).position, {1, 2.5, 3}, 1e-15);
  expect_near(curve.at(0.25 * std::numbers::pi).tangent, {-1, 0, 0}, 1e-15);
  expect_near(curve.at(0.25 * std::numbers::pi).second, {0, -2, 0}, 1e-15);
  expect_near(Curve::circle({1, 2, 3}, {0, 0, 2}, {1.5, 2, 3}, -0.5).at(0.25 * std::numbers::pi).position, {1, 1.5, 3},
              1e-15);
  expect_curve(curve, {0.1, 0.5, 0.77});
}

TEST(Curve, AnArcGoesThroughItsThreePoints) {
  // three quarters of the unit circle about (1, 1, 0), against the clock
  const Curve curve = Curve::arc({2, 1, 0}, {0, 1, 0}, {1, 0, 0});
  EXPECT_NEAR(curve.length(), 1.5 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(curve.points()[1], std::numbers::pi, 1e-14);
  expect_near(curve.at(0.5 * std::numbers::pi).position, {1, 2, 0}, 1e-14);
  expect_near(curve.at(curve.length()).position, {1, 0, 0}, 1e-14);
}

TEST(Curve, ASplineGoesThroughItsPointsByArcLength) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0.5, 0.2}, {1.5, 1.5, -0.3}, {0.5, 2, 0.4}, {-0.4, 1.2, 0}};
  const Curve curve = Curve::spline(points);
  ASSERT_EQ(curve.points().size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) expect_near(curve.at(curve.points()[i]).position, points[i], 1e-13);
  expect_curve(curve, {0.05, 0.13, 0.37, 0.61, 0.93});
  // The natural ends are straight.
  EXPECT_LE(curve.at(0.0).second.norm(), 1e-12);
  EXPECT_LE(curve.at(curve.length()).second.norm(), 1e-12);
}

TEST(Curve, ASplineOnManyPointsOfACircleHasItsLength) {
  // The clamped middle of a spline through 96 points of the unit circle: error of the curvature is of second order in
  // the spacing of 2 std::numbers::pi/32, of the length between two of its points of fourth order.
  std::vector<Vec3> points;
  for (int i = 0; i <= 96; ++i)
    points.emplace_back(std::cos(2 * std::numbers::pi * i / 32), std::sin(2 * std::numbers::pi * i / 32), 0.0);
  const Curve curve = Curve::spline(points);
  EXPECT_NEAR(curve.points()[64] - curve.points()[32], 2 * std::numbers::pi, 2e-5);
}

std::string refusal(const std::function<void()>& make) {
  try {
    make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Curve, RefusesWhatIsNoCurve) {
  EXPECT_EQ(refusal([] { Curve::lines({}); }), "a path needs points");
  EXPECT_EQ(refusal([] { Curve::lines({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}); }), "points 2 and 3 are the same");
  EXPECT_EQ(refusal([] {
              Curve::lines({{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, 0.1);
            }),
            "the path turns back at point 2, which cannot be rounded");
  EXPECT_EQ(refusal([] {
              Curve::lines({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 0.6);
            }),
            "corners rounded over 0.6 m do not fit between points 2 and 3, which are 1 m apart");
  EXPECT_EQ(refusal([] { Curve::spline({{0, 0, 0}}); }), "a spline needs at least two points");
  EXPECT_EQ(refusal([] {
              Curve::arc({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
            }),
            "the three points of the arc are on one line");
  EXPECT_EQ(refusal([] {
              Curve::circle({0, 0, 0}, {0, 0, 1}, {0, 0, 0}, 1);
            }),
            "the circle starts at its centre; its radius is zero");
  EXPECT_EQ(refusal([] {
              Curve::circle({0, 0, 0}, {0, 0, 1}, {1, 0, 0.25}, 1);
            }),
            "the start of the circle is 0.25 m out of the plane through its centre");
}

/// Velocities and accelerations of a path are the derivatives of its positions and rotations.
void expect_path(const Path& path, const std::vector<double>& times, double h) {
  for (const double t : times) {
    SCOPED_TRACE(t);
    const PathPoint point = path.at(t);
    expect_near(slope([&](double x) -> Vec3 { return path.at(x).position; }, t, h), point.velocity, 1e-9);
    expect_near(slope([&](double x) -> Vec3 { return path.at(x).velocity; }, t, h), point.acceleration, 1e-8);
    if (!path.turns()) continue;
    const Mat3 rate = slope([&](double x) -> Mat3 { return path.at(x).turning.rotation; }, t, h);
    EXPECT_LE((rate - skew(point.turning.velocity) * point.turning.rotation).norm(), 1e-9);
    expect_near(slope([&](double x) -> Vec3 { return path.at(x).turning.velocity; }, t, h), point.turning.acceleration,
                1e-8);
    EXPECT_NEAR(point.turning.rotation.determinant(), 1.0, 1e-13);
  }
}

TEST(Path, LawsMoveAndTurnAboutMovingAxes) {
  const auto law = [](const char* text) { return Law(ExpressionLaw{Expression::parse(text, {}, true)}); };
  Path path(law("0.1*sin(2*t)"), law("0.2*t^2"), law("0.8 + 0.1*cos(t)"));
  path.turn(TurnsLaw{{{Vec3::UnitZ(), law("0.5*sin(t)")},
                      {Vec3(1, 2, -1).normalized(), law("0.3*cos(3*t)")},
                      {Vec3::UnitX(), law("0.2*t")}}});
  expect_path(path, {0.2, 0.7, 1.9}, 1e-2);
  // two turns by hand: w = z a' + Rz x b'
  Path two(ConstantLaw{0}, ConstantLaw{0}, ConstantLaw{0});
  two.turn(TurnsLaw{{{Vec3::UnitZ(), law("2*t")}, {Vec3::UnitX(), law("3*t")}}});
  expect_near(two.at(0.5).turning.velocity, {3 * std::cos(1.0), 3 * std::sin(1.0), 2}, 1e-15);
  expect_near(two.at(0.5).turning.acceleration, {-6 * std::sin(1.0), 6 * std::cos(1.0), 0}, 1e-15);
}

TEST(Path, WaypointsAreMetAndSmooth) {
  const auto turn = [](double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis.normalized())); };
  const std::vector<Quat> turns{turn(0, {0, 0, 1}), turn(0.6, {0, 0, 1}), turn(0.9, {1, 0, 1}), turn(-0.2, {0, 1, 0})};
  PathTiming timing;
  timing.duration = 2.0;
  Path path(Curve::spline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}}), timing);
  path.turn(make_waypoints(path.curve().points(), turns, false));
  expect_path(path, {0.2, 0.55, 0.9, 1.31, 1.7}, 4e-3);
  // at rest at both ends
  for (const double t : {0.0, 2.0}) {
    EXPECT_LE(path.at(t).turning.velocity.norm(), 1e-13);
    EXPECT_LE(path.at(t).turning.acceleration.norm(), 1e-11);
  }
  EXPECT_LE((path.at(0.0).turning.rotation - turns[0].toRotationMatrix()).norm(), 1e-14);
  EXPECT_LE((path.at(2.0).turning.rotation - turns[3].toRotationMatrix()).norm(), 1e-14);
  // over time, one quaternion with the opposite sign: the same rotation, met on the shorter way
  std::vector<Quat> flipped = turns;
  flipped[2].coeffs() *= -1.0;
  Path timed(ConstantLaw{0}, ConstantLaw{0}, ConstantLaw{0});
  timed.turn(make_waypoints({0.0, 1.0, 2.0, 4.0}, flipped, true));
  EXPECT_LE((timed.at(2.0).turning.rotation - turns[2].toRotationMatrix()).norm(), 1e-14);
  expect_path(timed, {0.3, 1.2, 2.4, 3.7}, 1e-2);
  EXPECT_EQ(timed.breakpoints(), (std::vector<double>{0.0, 4.0}));
}

TEST(Path, TheTangentLeadsTheXAxis) {
  PathTiming timing;
  timing.limits = {0.5, 1.0, 5.0};
  timing.profile = MotionProfile::jerk_limited;
  Path path(Curve::spline({{0, 0, 0}, {1, 0.3, 0.1}, {1.5, 1.2, 0.4}, {0.6, 2, 0.2}}), timing);
  path.turn(TangentLaw{});
  const double T = path.end();
  for (const double part : {0.3, 0.5, 0.71}) {
    const PathPoint point = path.at(part * T);
    expect_near(point.turning.rotation.col(0), point.velocity.normalized(), 1e-13);
    EXPECT_NEAR(point.turning.rotation(2, 1), 0.0, 1e-14);  // y is level
    EXPECT_GT(point.turning.rotation(2, 2), 0.0);
  }
  expect_path(path, {0.3 * T, 0.5 * T}, 2e-3 * T);
  // on a circle it turns with the speed over the radius
  PathTiming even;
  even.duration = 4.0;
  Path circle(Curve::circle({0, 0, 0}, {0, 0, 1}, {2, 0, 0}, 1.0), even);
  circle.turn(TangentLaw{});
  const PathPoint half = circle.at(2.0);
  expect_near(half.turning.velocity, {0, 0, half.velocity.norm() / 2.0}, 1e-13);
}

TEST(Path, CornersAreStopsUnlessRounded) {
  PathTiming timing;
  timing.profile = MotionProfile::trapezoid;
  timing.limits = {1.0, 2.0, std::numeric_limits<double>::infinity()};
  timing.dwell = 0.5;
  const Path path(Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}), timing);
  // 3 m and 4 m at 1 m/s with ramps of 0.5 s, and the rest between
  EXPECT_NEAR(path.end(), 3.5 + 0.5 + 4.5, 1e-14);
  expect_near(path.at(3.7).position, {3, 0, 0}, 1e-14);
  EXPECT_EQ(path.at(3.7).velocity.norm(), 0.0);
  expect_near(path.at(6.25).velocity, {0, 1, 0}, 1e-14);

  const Path rounded(Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}, 1.0), timing);
  EXPECT_NEAR(rounded.end(), 0.5 + rounded.curve().length(), 1e-14);
  // at full speed the arc begins 2 m from the start: v^2/r towards its centre on one side, nothing on the other
  const double t = 2.0 + 0.25;
  const std::vector<double> kinks = rounded.breakpoints();
  const auto bend = std::min_element(kinks.begin(), kinks.end(),
                                     [&](double a, double b) { return std::abs(a - t) < std::abs(b - t); });
  EXPECT_NEAR(*bend, t, 1e-14);
  expect_near(rounded.at(std::nextafter(*bend, 0.0)).acceleration, {0, 0, 0}, 1e-14);
  expect_near(rounded.at(*bend).acceleration, {0, 1, 0}, 1e-12);
}

TEST(Path, ATotalDurationIsSharedByItsParts) {
  PathTiming timing;
  timing.duration = 8.0;
  timing.dwell = 1.0;
  const Path path(Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}), timing);
  EXPECT_NEAR(path.end(), 8.0, 1e-14);
  expect_near(path.at(3.5).position, {3, 0, 0}, 1e-14);  // 3/7 of 7 s, then the rest
  PathTiming hurried = timing;
  hurried.limits.speed = 1.0;
  EXPECT_EQ(
      refusal([&] {
        Path(Curve::lines({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}), hurried);
      }),
      "8 s are too short for the limits; the path takes at least 14.125 s");  // 7 m at 15/8 of the mean speed, 1 s
}

TEST(Path, RefusesTangentsThatAreNotThere) {
  PathTiming timing;
  timing.duration = 1.0;
  EXPECT_EQ(refusal([&] { Path(ConstantLaw{0}, ConstantLaw{0}, ConstantLaw{0}).turn(TangentLaw{}); }),
            "only a curve of some length has a tangent: lines, an arc, a circle or a spline");
  EXPECT_EQ(refusal([&] {
              Path(Curve::lines({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}), timing).turn(TangentLaw{});
            }),
            "the tangent jumps at the corners; round them ('corner'), or take a spline");
  EXPECT_EQ(refusal([&] {
              Path(Curve::lines({{0, 0, 0}, {0, 0, 1}}), timing).turn(TangentLaw{});
            }),
            "the path runs along 'up', which leaves the turn about it open; give another 'up'");
}

TEST(Path, EvaluatesWithoutAllocation) {
  PathTiming timing;
  timing.limits = {0.5, 1.0, 5.0};
  Path path(Curve::spline({{0, 0, 0}, {1, 0.3, 0.1}, {1.5, 1.2, 0.4}}), timing);
  path.turn(
      make_waypoints(path.curve().points(), {Quat(1, 0, 0, 0), Quat(0.9, 0.1, 0, 0), Quat(0.7, 0, 0.5, 0)}, false));
  double sum = 0.0;
  const long before = testing::allocation_count();
  for (int i = 0; i < 10; ++i) sum += path.at(0.1 * i).position.x();
  EXPECT_EQ(testing::allocation_count(), before);
  EXPECT_GT(sum, 0.0);
}

// p0 + R p, and in the mirror p0 + R S p with rotations R (S Q S), S = diag(1, -1, 1); rates are those of what is shown.
TEST(Path, StandsInOtherAxes) {
  Path path(Curve::spline({{0, 0, 0}, {1, 0.5, 0}, {1, 1, 1}}), {MotionProfile::quintic, {}, 2.0, 0.0, 0.0});
  path.turn(TurnsLaw{{{Vec3::UnitX(), Law(PolynomialCoefficients{{0.1, 0.4, 0.3}})},
                      {Vec3::UnitY(), Law(PolynomialCoefficients{{0.2, -0.5}})}}});
  const Pose base{rotation_from_vector(Vec3(0.3, -0.7, 0.4)), Vec3(1, 2, 3)};
  const Mat3 own = Vec3(1, -1, 1).asDiagonal();
  for (const bool mirrored : {false, true}) {
    Path placed = path;
    placed.place(base, mirrored);
    const PathPoint a = path.at(0.8), b = placed.at(0.8);
    const Mat3 mirror = mirrored ? own : Mat3::Identity();
    expect_near(b.position, base.position + base.rotation * (mirror * a.position), 1e-15);
    EXPECT_LT((b.turning.rotation - base.rotation * mirror * a.turning.rotation * mirror).norm(), 1e-15);
    const auto turning = [&](double t) -> Mat3 { return placed.at(t).turning.rotation; };
    expect_near(slope([&](double t) -> Vec3 { return placed.at(t).position; }, 0.8, 1e-3), b.velocity, 1e-11);
    expect_near(slope([&](double t) -> Vec3 { return placed.at(t).velocity; }, 0.8, 1e-3), b.acceleration, 1e-10);
    const Mat3 spin = slope(turning, 0.8, 1e-3) * b.turning.rotation.transpose();
    expect_near(Vec3(spin(2, 1), spin(0, 2), spin(1, 0)), b.turning.velocity, 1e-11);
    expect_near(slope([&](double t) -> Vec3 { return placed.at(t).turning.velocity; }, 0.8, 1e-3),
                b.turning.acceleration, 1e-10);
  }
}

}  // namespace
}  // namespace lithe
