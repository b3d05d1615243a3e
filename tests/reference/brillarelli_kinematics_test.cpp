// Brillarelli (2021), chapter 4: kinematics of the five-bar robot. Closed forms of the thesis against the engine; tests T7 to T10 and T21 of
// the reference brillarelli-five-bar.md.

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "lithe/dynamics/forward.hpp"
#include "reference/brillarelli_models.hpp"
#include "support/random_mechanism.hpp"

namespace lithe::testing::five_bar {
namespace {

constexpr double rounding = 1e-12;

/// Elastic coordinates of the order of a millimetre, speeds of 1 rad/s.
void move_at_random(Robot& robot, std::uint32_t seed) {
  State& state = robot.state();
  const VectorX dice = random_vector(seed, 2 * robot.plan().nv());
  for (int v = 0; v < robot.plan().nv(); ++v) state.q[v] += (robot.plan().is_bending(v) ? 2e-3 : 0.2) * dice[v];
  ASSERT_TRUE(project_positions(robot.plan(), robot.work(), state.q));
  for (const int v : robot.work().independent())
    state.v[v] = (robot.plan().is_bending(v) ? 0.05 : 1.0) * dice[robot.plan().nv() + v];
  ASSERT_TRUE(complete_speeds(robot.plan(), robot.work(), state.q, state.v));
}

// T7: four assemblies of the legs at a place, with straight and with bent strips.
TEST(BrillarelliKinematics, LegsReachTheTool) {
  Robot robot;
  const Vec2 tool(0.03, 0.27);
  for (const double bent : {0.0, 2e-3, -1e-3})
    for (const int first : {-1, 1})
      for (const int second : {-1, 1}) {
        Legs legs;
        ASSERT_TRUE(reach(tool, 0, first, bent, legs) && reach(tool, 1, second, -2 * bent, legs));
        robot.place(legs);
        VectorX gap;
        closure_values(robot.plan(), robot.work(), robot.state().q, gap);
        EXPECT_LT(gap.cwiseAbs().maxCoeff(), rounding);
        EXPECT_LT((robot.tool(0) - tool).norm(), rounding);
        EXPECT_LT((robot.tool(1) - tool).norm(), rounding);
        // And back: from strips that are a little off, Newton's method of the engine finds the same angles.
        robot.state().q[robot.speed("elbow-1")] += 0.05;
        ASSERT_TRUE(project_positions(robot.plan(), robot.work(), robot.state().q));
        EXPECT_NEAR(robot.legs(robot.state().q).theta[0], legs.theta[0], rounding);
        EXPECT_NEAR(robot.legs(robot.state().q).theta[1], legs.theta[1], rounding);
      }
}

// T8: J_x p' = J_q q' + J_v v', and its rate by differences of the closed forms along the motion.
TEST(BrillarelliKinematics, VelocitiesAndAccelerationsOfTheTool) {
  Robot robot;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    move_at_random(robot, seed);
    State& state = robot.state();
    const Legs at = robot.legs(state.q), rate = robot.legs(state.v);
    const auto two = [](const std::array<double, 2>& x) { return Vec2(x[0], x[1]); };
    const Vec2 speed = frame_velocity(robot.plan(), robot.work(), state, robot.tip(0)).linear.head<2>();
    EXPECT_LT((J_x(at) * speed - J_q(at) * two(rate.q) - J_v(at) * two(rate.v)).norm(), rounding);

    // Accelerations of free motion.
    VectorX a = VectorX::Zero(robot.plan().nv());
    ASSERT_TRUE(forward_dynamics(robot.plan(), robot.work(), state, Actions(robot.plan()), a));
    const Legs second = robot.legs(a);
    const Vec2 acceleration = frame_acceleration(robot.plan(), robot.work(), state, a, robot.tip(0)).linear.head<2>();
    const double h = 1e-6;
    const auto later = [&](double sign) {
      Legs moved = at;
      for (int i = 0; i < 2; ++i) {
        moved.q[i] += sign * h * rate.q[i];
        moved.theta[i] += sign * h * rate.theta[i];
        moved.v[i] += sign * h * rate.v[i];
      }
      return moved;
    };
    const Legs ahead = later(1), back = later(-1);
    const Mat2 dJ_x = (J_x(ahead) - J_x(back)) / (2 * h), dJ_q = (J_q(ahead) - J_q(back)) / (2 * h),
               dJ_v = (J_v(ahead) - J_v(back)) / (2 * h);
    const Vec2 right =
        dJ_q * two(rate.q) + J_q(at) * two(second.q) + dJ_v * two(rate.v) + J_v(at) * two(second.v) - dJ_x * speed;
    // Differences of order h^2 and rounding over h, on accelerations of up to 1e3.
    EXPECT_LT((J_x(at) * acceleration - right).norm(), 1e-7 * std::max(1.0, acceleration.norm()));
  }
}

// T8: A and B, the columns of the closures by strip angles and by motors and shapes, and their rate along the motion, by differences of the gap.
TEST(BrillarelliKinematics, ClosuresAndTheirRateAreDifferences) {
  Robot robot;
  for (std::uint32_t seed = 21; seed <= 25; ++seed) {
    move_at_random(robot, seed);
    const State state = robot.state();
    const double h = 1e-6;  // rounding over h and h^2 times third derivatives of unit size: below 1e-9
    const auto gap = [&](const VectorX& step) {
      VectorX moved = state.q + step, c;
      closure_values(robot.plan(), robot.work(), moved, c);
      return c;
    };
    const auto jacobian = [&](const VectorX& step) {
      MatrixX A;
      closure_jacobian(robot.plan(), robot.work(), state.q + step, A);
      return A;
    };
    const MatrixX A = jacobian(VectorX::Zero(robot.plan().nv()));
    for (int v = 0; v < robot.plan().nv(); ++v) {
      const VectorX step = h * VectorX::Unit(robot.plan().nv(), v);
      EXPECT_LT(((gap(step) - gap(-step)) / (2 * h) - A.col(v)).norm(), 1e-7) << robot.plan().speed_name(v);
    }
    VectorX gamma;
    closure_bias(robot.plan(), robot.work(), state, gamma);  // A a = gamma
    const VectorX step = h * state.v;
    const VectorX rate = (jacobian(step) - jacobian(-step)) * state.v / (2 * h);
    EXPECT_LT((rate + gamma).norm(), 1e-7 * (1 + gamma.norm()));
  }
}

// T9: det A = product of the chords times the sine of their angle, and so zero where they are parallel. The engine's own closures give the
// same determinant.
TEST(BrillarelliKinematics, ParallelChordsAreSingular) {
  Robot robot;
  move_at_random(robot, 7);
  const Legs legs = robot.legs(robot.state().q);
  const Mat2 A = closure_by_theta(legs);
  std::array<double, 2> chord{}, angle{};
  for (int i = 0; i < 2; ++i) {
    chord[i] = std::hypot(c, legs.v[i]);
    angle[i] = legs.theta[i] + std::atan2(legs.v[i], c);
  }
  EXPECT_NEAR(A.determinant(), chord[0] * chord[1] * std::sin(angle[0] - angle[1]), rounding);
  MatrixX all;
  closure_jacobian(robot.plan(), robot.work(), robot.state().q, all);
  ASSERT_EQ(all.rows(), 2);
  const double ours = all(0, robot.speed("elbow-1")) * all(1, robot.speed("elbow-2")) -
                      all(1, robot.speed("elbow-1")) * all(0, robot.speed("elbow-2"));
  EXPECT_NEAR(std::abs(ours), std::abs(A.determinant()), rounding);

  Legs parallel = legs;
  parallel.theta[1] = angle[0] - std::atan2(legs.v[1], c);
  EXPECT_NEAR(closure_by_theta(parallel).determinant(), 0.0, rounding);
  // J_q loses its rank where arm, elbow and tool are aligned: tan(q - theta) = v/c.
  Legs aligned = legs;
  aligned.q[0] = legs.theta[0] + std::atan2(legs.v[0], c);
  EXPECT_NEAR(J_q(aligned).determinant(), 0.0, rounding);
}

/// Second derivative of the tip of leg i by differences of fourth order, for angles and deflection that are parabolas in time.
Vec2 tip_acceleration_by_differences(const Legs& at, const Legs& rate, const Legs& second, int i) {
  const auto place = [&](double t) {
    const auto value = [&](const std::array<double, 2> Legs::*of) {
      return (at.*of)[i] + t * ((rate.*of)[i] + 0.5 * t * (second.*of)[i]);
    };
    const double q = value(&Legs::q), theta = value(&Legs::theta), v = value(&Legs::v);
    return Vec2(Vec2(b * std::cos(q), b * std::sin(q)) + Vec2(c * std::cos(theta), c * std::sin(theta)) +
                v * across(theta));
  };
  // Steps short against the motion: truncation 1e-11, rounding 1e-10 of the angular accelerations, which are up to a thousand times those
  // of the tip, in which they cancel.
  const double pace =
      std::max({std::abs(rate.q[i]), std::abs(rate.theta[i]), std::abs(rate.v[i]) / c, std::sqrt(std::abs(second.q[i])),
                std::sqrt(std::abs(second.theta[i])), std::sqrt(std::abs(second.v[i]) / c)});
  const double h = 0.003 / pace;
  return (16.0 * (place(h) + place(-h)) - place(2 * h) - place(-2 * h) - 30.0 * place(0)) / (12 * h * h);
}

// T10: (4.23), the acceleration of the tip across the strip: against differences of its place, and against the engine.
TEST(BrillarelliKinematics, AccelerationAcrossTheStrip) {
  Robot robot;
  for (std::uint32_t seed = 11; seed <= 15; ++seed) {
    move_at_random(robot, seed);
    VectorX a = VectorX::Zero(robot.plan().nv());
    ASSERT_TRUE(forward_dynamics(robot.plan(), robot.work(), robot.state(), Actions(robot.plan()), a));
    const Legs at = robot.legs(robot.state().q), rate = robot.legs(robot.state().v), second = robot.legs(a);
    for (int i = 0; i < 2; ++i) {
      const double D = at.q[i] - at.theta[i];
      const double printed = b * second.q[i] * std::cos(D) - b * rate.q[i] * rate.q[i] * std::sin(D) +
                             c * second.theta[i] - at.v[i] * rate.theta[i] * rate.theta[i] + second.v[i];
      const Vec3 tip = frame_acceleration(robot.plan(), robot.work(), robot.state(), a, robot.tip(i)).linear;
      const Vec2 by_differences = tip_acceleration_by_differences(at, rate, second, i);
      EXPECT_NEAR(across(at.theta[i]).dot(by_differences), printed, 1e-6 * by_differences.norm());
      EXPECT_NEAR(across(at.theta[i]).dot(tip.head<2>()), printed, rounding * std::max(1.0, a.cwiseAbs().maxCoeff()));
    }
  }
}

// T21: on a grid of 5 mm no pose of the working mode is singular, and the angle of the strips keeps its sign. Numbers of the reference,
// section 3.3.
TEST(BrillarelliKinematics, NoSingularPoseInTheWorkspace) {
  Robot robot;
  int reached = 0;
  double weakest = 1.0;
  Vec2 where(0, 0);
  for (int i = -90; i <= 90; ++i)
    for (int j = 0; j <= 90; ++j) {
      const Vec2 tool(0.005 * i, 0.005 * j);
      Legs legs;
      if (!reach(tool, legs)) continue;
      // Ten points of the grid lie on the boundary, where a leg is stretched or folded: rounding decides.
      if (std::min(std::sin(legs.theta[0] - legs.q[0]), std::sin(legs.q[1] - legs.theta[1])) < 1e-6) continue;
      ++reached;
      robot.place(legs);
      ASSERT_LT((robot.tool(1) - tool).norm(), rounding);
      const double sine = std::sin(legs.theta[0] - legs.theta[1]);
      ASSERT_GT(sine, 0.0) << tool.transpose();
      if (sine < weakest) {
        weakest = sine;
        where = tool;
      }
    }
  EXPECT_NEAR(reached, 3827, 5);  // the reference counts half of those on the boundary
  EXPECT_NEAR(weakest, 0.301, 5e-4);
  EXPECT_NEAR(std::abs(where.x()), 0.295, 1e-9);
  EXPECT_NEAR(where.y(), 0.045, 1e-9);
}

}  // namespace
}  // namespace lithe::testing::five_bar
