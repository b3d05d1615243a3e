// The recomputed rows with K^gn of the reference, sections 3.1 to 3.4, to their last digit: half a unit of rounding
// there, half a unit for ours. `lithe reproduce fattah` compares the settled axial forces with the same rows, to half a
// millimetre.

#include <array>

#include "reference/four_passes.hpp"

namespace lithe::testing {
namespace {

double heading(const Pose& pose) { return std::atan2(pose.rotation(1, 0), pose.rotation(0, 0)); }

TEST(FattahStress, FourPassesGiveTheRecomputedArms) {
  FourPasses chord("two-arms", {{"links.*.tip-rotation", "chord"}});
  chord.move_to(0.1, 1e-4);
  const std::array tips{0.046537, 0.000092, 0.042402, -0.000627};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(chord.tip(i + 1).y(), tips[i], 1e-6) << i;
  chord.move_to(0.5, 1e-4);
  EXPECT_NEAR(heading(chord.pose("object")), 0.520221, 1e-6);
  EXPECT_NEAR(chord.pose("object").position.x(), 0.699962, 1e-6);

  FourPasses tangent("two-arms", {{"links.*.tip-rotation", "tangent"}});
  tangent.move_to(0.1, 1e-4);
  EXPECT_NEAR(tangent.tip(1).y(), 0.059646, 1e-6);
  EXPECT_NEAR(tangent.tip(3).y(), 0.042445, 1e-6);
  tangent.move_to(0.5, 1e-4);
  EXPECT_NEAR(heading(tangent.pose("object")), 0.505180, 1e-6);
}

TEST(FattahStress, FourPassesGiveTheRecomputedFastMove) {
  struct Row {
    double t, x, y, psi;
    std::array<double, 6> tips;  // mm
  };
  const Row rows[] = {
      {0.050, 0.223580, 0.449823, 0.000457, {30.102, -19.305, -10.224, 0.724, -0.725, -1.306}},
      {0.100, 0.352815, 0.449420, 0.002337, {18.893, 0.921, -13.526, -0.600, -0.834, -2.847}},
      {0.150, 0.547246, 0.449142, 0.003578, {-21.118, 6.032, 18.449, -2.322, 1.380, -0.300}},
      {0.200, 0.676524, 0.448934, 0.004835, {-33.999, 4.680, 18.977, -0.625, 1.316, 0.346}},
      {0.250, 0.700764, 0.449030, 0.005037, {-0.960, 1.066, -0.509, -0.486, -0.165, 1.189}},
  };
  FourPasses robot("3rrr-fast", {});
  for (const Row& row : rows) {
    SCOPED_TRACE(row.t);
    robot.move_to(row.t, 5e-5);
    const Pose platform = robot.pose("platform");
    EXPECT_NEAR(platform.position.x(), row.x, 1e-6);
    EXPECT_NEAR(platform.position.y(), row.y, 1e-6);
    EXPECT_NEAR(heading(platform), row.psi, 1e-6);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(robot.tip(i + 1).y(), 1e-3 * row.tips[i], 1e-6) << "link " << i + 1;
  }
}

TEST(FattahStress, FourPassesGiveTheRecomputedJointMove) {
  FourPasses robot("3rrr", {});
  robot.move_to(0.2, 2e-4);
  EXPECT_NEAR(robot.motor(1), 1.17621, 1e-5);
  EXPECT_NEAR(robot.tip(1).y(), -0.063909, 1e-6);
}

TEST(FattahStress, FourPassesGiveTheRecomputedSpatialMove) {
  FourPasses robot("3rrs", {});
  robot.move_to(3.0, 2e-3);
  const Vec3 motors(1.93157, 2.37503, 2.88554);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(robot.motor(i + 1), motors[i], 1e-5) << i;
  EXPECT_NEAR(robot.tip(1).y(), -0.08152, 1e-5);
  EXPECT_NEAR(robot.tip(1).z(), -0.00708, 1e-5);
  EXPECT_NEAR(robot.tip(3).y(), 0.12327, 1e-5);
  EXPECT_NEAR(robot.tip(3).z(), -0.06630, 1e-5);
}

}  // namespace
}  // namespace lithe::testing
