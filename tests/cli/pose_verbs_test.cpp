// lithe statics, modes and linearize on models whose answers are closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

// A point mass of 2 kg on a rod of 0.5 m, hanging: frequency sqrt(g/l)/(2 pi); a motor holds it at 30 degrees from the
// vertical with m g l sin(30 deg).
std::string pendulum(const std::string& angle, bool motor) {
  // One file per test: they run at the same time.
  const char* test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = ::testing::TempDir() + "pose-" + test + ".yaml";
  std::ofstream file(path);
  file << "lithe: 1\nname: pendulum\ngravity: [0, -9.81, 0]\nlinks:\n  arm:\n"
       << "    rigid: {mass: 2, centre: [0, -0.5, 0]}\n"
       << "    frames: {bob: [0, -0.5, 0]}\njoints:\n  hinge: {revolute: z, from: ground/origin, to: arm/origin"
       << (motor ? ", actuated: true" : "") << "}\ninitial: {hinge: " << angle << "}\n"
       << "record: [coordinates, frames: [arm/bob]]\n";
  return path;
}

TEST(PoseVerbs, PendulumFrequency) {
  const Answer answer = lithe({"modes", pendulum("0.2", false), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto modes = answer.json()["modes"];
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0]["frequency"].get<double>(), std::sqrt(9.81 / 0.5) / (2 * std::numbers::pi), 1e-8);
}

TEST(PoseVerbs, MotorHoldsThePendulum) {
  const Answer answer = lithe({"statics", pendulum("30 deg", true), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NEAR(answer.json()["motors"]["hinge"].get<double>(), 2 * 9.81 * 0.5 * 0.5, 1e-9);
}

TEST(PoseVerbs, FreePendulumSwingsToRest) {
  const Answer answer = lithe({"statics", pendulum("30 deg", true), "--free", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["stable"], true);
  const auto moved = answer.json()["frames"]["arm/bob"]["displacement"];
  EXPECT_NEAR(moved[0].get<double>(), -0.25, 1e-9);
  EXPECT_NEAR(moved[1].get<double>(), 0.5 * (std::sqrt(0.75) - 1), 1e-9);
}

TEST(PoseVerbs, Poles) {
  const Answer answer = lithe({"linearize", pendulum("0", false), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto found = answer.json();
  EXPECT_NEAR(found["second_order"]["M"][0][0].get<double>(), 2 * 0.25, 1e-12);
  EXPECT_NEAR(found["second_order"]["K"][0][0].get<double>(), 2 * 9.81 * 0.5, 1e-8);
  EXPECT_NEAR(std::abs(found["poles"][0][1].get<double>()), std::sqrt(9.81 / 0.5), 1e-8);
}

TEST(PoseVerbs, BadFrameIsNamed) {
  const Answer answer = lithe({"statics", pendulum("0", true), "--frame", "leg"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("leg"), std::string::npos) << answer.err;
}

TEST(PoseVerbs, ALinkMeansItsOrigin) {
  const Answer link = lithe({"statics", pendulum("0", true), "--frame", "arm", "--json"});
  const Answer origin = lithe({"statics", pendulum("0", true), "--frame", "arm/origin", "--json"});
  ASSERT_EQ(link.exit_code, 0) << link.err;
  EXPECT_EQ(link.json()["compliance"], origin.json()["compliance"]);
}

// The tip is recorded, and it is the tip of an elastic link.
// All elastic coordinates by name, and through them the sag of the tip.
TEST(Statics, JsonHasAllElasticCoordinates) {
  const Answer answer = lithe({"statics", example("starters/truss-boom"), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto elastic = answer.json()["elastic"];
  ASSERT_GE(elastic.size(), 4u);  // three modes and the static shape of the lug
  EXPECT_TRUE(elastic.contains("boom.e1") && elastic.contains("boom.e4"));
  EXPECT_NE(elastic["boom.e1"].get<double>(), 0.0);
}

TEST(Statics, NamesEveryFrameOnce) {
  const std::string out = lithe({"statics", example("spin-up-beam")}).out;
  const std::size_t first = out.find("\n  beam/tip ");
  EXPECT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find("\n  beam/tip ", first + 1), std::string::npos) << out;
}

}  // namespace
}  // namespace lithe::testing
