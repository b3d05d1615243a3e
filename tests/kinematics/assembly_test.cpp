#include "lithe/kinematics/assembly.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

Vec3 platform_pose(const Plan& plan, Workspace& work, const VectorX& q) {
  const Pose pose = frame_pose(plan, work, q, plan.mechanism().find_frame("platform", "origin"));
  return {pose.position.x(), pose.position.y(), std::atan2(pose.rotation(1, 0), pose.rotation(0, 0))};
}

/// Motors held at the start angles, passive joints at the three decimals that the paper prints.
struct PrintedPosture {
  Plan plan{khan::mechanism()};
  Workspace work{plan};
  VectorX q = khan::initial_posture(plan);
  AssemblyOptions options;

  PrintedPosture() {
    options.held = plan.actuated_speeds();
    for (int j = 0; j < 3; ++j) {
      const auto leg = static_cast<std::size_t>(j);
      const auto rounded = [](double x) { return std::round(x * 1000) / 1000; };
      testing::set_coordinates(plan, khan::name("knee", j), VectorX::Constant(1, rounded(khan::initial_knee[leg])), q);
      testing::set_coordinates(plan, khan::name("ankle", j), VectorX::Constant(1, rounded(khan::initial_ankle[leg])),
                               q);
    }
  }
};

// Khan reference 5.3 and test 15: the rounded posture misses closure by some 1e-4 m and is put right in few iterations.
TEST(Assembly, PutsThePrintedPostureRight) {
  PrintedPosture printed;
  EXPECT_GT(closure_error(printed.plan, printed.work, printed.q), 1e-5);
  const AssemblyReport report = assemble(printed.plan, printed.work, printed.q, printed.options);
  ASSERT_TRUE(report.status);
  EXPECT_LE(report.iterations, 5);
  EXPECT_LT(report.error, 1e-13);
  const Vec3 pose = platform_pose(printed.plan, printed.work, printed.q);
  EXPECT_NEAR(pose.x(), khan::initial_platform[0], 1e-12);
  EXPECT_NEAR(pose.y(), khan::initial_platform[1], 1e-12);
  EXPECT_NEAR(pose.z() + 2 * khan::pi, khan::initial_platform[2], 1e-12);
}

// Khan reference 5.3: exactly two real assembly modes at t = 0, the second one at the pose given there.
TEST(Assembly, FindsBothBranches) {
  PrintedPosture printed;
  const std::vector<VectorX> branches = assembly_branches(printed.plan, printed.work, printed.q, printed.options, 100);
  ASSERT_EQ(branches.size(), 2u);
  const Vec3 second = platform_pose(printed.plan, printed.work, branches[1]);
  EXPECT_NEAR(second.x(), 0.609637132, 1e-8);
  EXPECT_NEAR(second.y(), 0.138475535, 1e-8);
  EXPECT_NEAR(second.z(), 1.045012687, 1e-8);
}

TEST(Assembly, SaysWhichLoopIsOutOfReach) {
  Mechanism m = khan::mechanism();
  // A base pivot three metres away cannot be reached by a leg of one metre.
  m.links[0].frames[m.joints[3].from.frame].pose.position.x() = 3.0;
  Plan plan(m);
  Workspace work(plan);
  VectorX q = khan::initial_posture(plan);
  const AssemblyReport report = assemble(plan, work, q);
  EXPECT_EQ(report.status.code, Status::Code::not_assembled);
  EXPECT_GT(report.error, 0.1);
  const std::string text = describe(plan, report.status, 0.0);
  EXPECT_NE(text.find("cannot be closed"), std::string::npos) << text;
  EXPECT_NE(text.find("ankle-2"), std::string::npos) << text;
}

TEST(Projection, KeepsTheIndependentCoordinates) {
  Plan plan(khan::mechanism());
  Workspace work(plan);
  VectorX q = khan::initial_posture(plan);
  ASSERT_TRUE(select_independent(plan, work, q));
  std::vector<int> motors = plan.actuated_speeds();
  std::sort(motors.begin(), motors.end());
  EXPECT_EQ(work.independent(), motors);
  khan::set_motors(plan, khan::motion(0.5).angle, q);
  ASSERT_TRUE(project_positions(plan, work, q));
  EXPECT_LT(closure_error(plan, work, q), 1e-12);
  for (int j = 0; j < 3; ++j) EXPECT_EQ(q[plan.actuated_speeds()[j]], khan::motion(0.5).angle[j]);
}

TEST(Mobility, OfThePlanarRobotInBothArithmetics) {
  for (bool planar : {true, false}) {
    Plan plan(khan::mechanism(), {Coordinates::automatic, "", planar});
    Workspace work(plan);
    const Mobility mobility = analyse_mobility(plan, work, khan::initial_posture(plan));
    EXPECT_EQ(mobility.mobility, 3);
    EXPECT_EQ(mobility.local_mobility, 3);
    EXPECT_EQ(mobility.actuation_rank, 3);
    // In space each of the two loops has three equations too many.
    EXPECT_EQ(mobility.redundant.size(), planar ? 0u : 6u);
    EXPECT_LT(mobility.actuation_condition, 1e3);
  }
}

}  // namespace
}  // namespace lithe
