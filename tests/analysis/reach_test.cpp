#include "lithe/analysis/reach.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe::testing {
namespace {

/// Two bars of lengths a and b in the plane x, y.
Mechanism two_bars(double a, double b) {
  Mechanism mechanism;
  for (const auto& [name, length] : {std::pair{"upper", a}, std::pair{"lower", b}}) {
    LinkData link;
    link.name = name;
    link.mass = 1.0;
    link.inertia = Mat3::Identity();
    link.frames = {{"origin", Pose{}}, {"tip", Pose{Mat3::Identity(), Vec3(length, 0, 0)}}};
    mechanism.links.push_back(link);
  }
  Joint shoulder, elbow;
  shoulder.name = "shoulder";
  shoulder.from = {0, 0};
  shoulder.to = {1, 0};
  elbow.name = "elbow";
  elbow.from = {1, 1};
  elbow.to = {2, 0};
  mechanism.joints = {shoulder, elbow};
  return mechanism;
}

// Law of cosines: the elbow of two bars a, b whose tip is at distance r has cos = (r^2 - a^2 - b^2) / (2 a b).
TEST(Reach, TipOfTwoBars) {
  const double a = 0.5, b = 0.3;
  const Plan plan(two_bars(a, b));
  Workspace work(plan);
  VectorX q(2);
  q << 0.1, 0.4;
  Pull wanted;
  wanted.frame = FrameRef{2, 1};
  wanted.place = Vec3(0.2, 0.5, 0);
  const Reach reach = pull(plan, work, q, wanted);
  const double r = wanted.place.norm();
  // The wish to keep the axes of the tip weighs a thousandth, and gives way to the place by its square.
  EXPECT_LT(reach.distance, 1e-5);
  EXPECT_NEAR(q[1], std::acos((r * r - a * a - b * b) / (2 * a * b)), 1e-4) << "on the branch it came from";
}

// Beyond reach the arm is straight and points there.
TEST(Reach, OutOfReachPointsThere) {
  const Plan plan(two_bars(0.5, 0.3));
  Workspace work(plan);
  VectorX q(2);
  q << 0.1, 0.8;
  Pull wanted;
  wanted.frame = FrameRef{2, 1};
  wanted.place = Vec3(2, 2, 0);
  const Reach reach = pull(plan, work, q, wanted);
  EXPECT_NEAR(reach.distance, std::sqrt(8.0) - 0.8, 1e-3);
  const Vec3 tip = frame_pose(plan, work, q, *wanted.frame).position;
  EXPECT_NEAR(std::atan2(tip.y(), tip.x()), std::numbers::pi / 4, 1e-2);
}

TEST(Reach, StopsHoldAndAreLeftAgain) {
  Mechanism mechanism = two_bars(0.5, 0.3);
  mechanism.joints[1].stops = {{.lower = -0.5, .upper = 1.0}};
  const Plan plan(mechanism);
  Workspace work(plan);
  VectorX q(2);
  q << 0.1, 0.4;
  Pull wanted;
  wanted.speed = 1;
  wanted.value = 2.0;
  EXPECT_NEAR(pull(plan, work, q, wanted).distance, 1.0, 1e-5);
  EXPECT_NEAR(q[1], 1.0, 1e-5);
  EXPECT_NEAR(q[0], 0.1, 1e-6) << "nothing pulls at the other one";
  EXPECT_TRUE(joint_values(plan, work, q)[1].at_limit);
  wanted.value = 0.2;
  pull(plan, work, q, wanted);
  EXPECT_NEAR(q[1], 0.2, 1e-6);
  EXPECT_FALSE(joint_values(plan, work, q)[1].at_limit);
}

// A motor of a closed mechanism: the others keep their values, the loops stay closed.
TEST(Reach, MotorOfAClosedMechanism) {
  const Plan plan(khan_3rrr::mechanism());
  Workspace work(plan);
  VectorX q = khan_3rrr::initial_posture(plan);
  ASSERT_TRUE(assemble(plan, work, q).status);
  const std::vector<JointValue> before = joint_values(plan, work, q);
  std::vector<JointValue> motors;
  for (const JointValue& each : before)
    if (each.actuated) motors.push_back(each);
  ASSERT_EQ(motors.size(), 3U);
  Pull wanted;
  wanted.speed = motors[1].speed;
  wanted.value = motors[1].value + 0.1;
  EXPECT_LT(pull(plan, work, q, wanted).distance, 1e-6);
  EXPECT_LT(closure_error(plan, work, q), 1e-12);
  for (const JointValue& each : joint_values(plan, work, q)) {
    if (each.speed == motors[0].speed) EXPECT_NEAR(each.value, motors[0].value, 1e-6);
    if (each.speed == motors[2].speed) EXPECT_NEAR(each.value, motors[2].value, 1e-6);
  }
}

}  // namespace
}  // namespace lithe::testing
