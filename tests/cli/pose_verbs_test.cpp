// lithe statics, modes and linearize on models whose answers are closed forms.

#include <gtest/gtest.h>

#include <array>
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

// J = 0.5 kg m^2, k = 9.81 + 40 N m/rad, c = 60 N m s/rad: roots of J s^2 + c s + k at -0.8360 and -119.164 1/s.
TEST(PoseVerbs, OverdampedModesDecay) {
  const std::string path = pendulum("0", true);
  std::ofstream(path, std::ios::app) << "drives: {hinge: {follow: 0, by: pd, kp: 40, kd: 60}}\n";
  const Answer answer = lithe({"modes", path, "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto mode = answer.json()["modes"][0];
  EXPECT_EQ(mode["oscillates"], false);
  EXPECT_NEAR(mode["damping_ratio"].get<double>(), 60 / (2 * std::sqrt(49.81 * 0.5)), 1e-7);
  EXPECT_NEAR(mode["time_constants"][0].get<double>(), 1 / (60 - std::sqrt(3600 - 2 * 49.81)), 1e-7);
  EXPECT_NEAR(mode["time_constants"][1].get<double>(), 1 / (60 + std::sqrt(3600 - 2 * 49.81)), 1e-9);
  EXPECT_NEAR(mode["poles"][0][0].get<double>() * mode["poles"][1][0].get<double>(), 49.81 / 0.5, 1e-6);
  const std::string text = lithe({"modes", path}).out;
  EXPECT_NE(text.find("damping ratio  decays in (s)"), std::string::npos) << text;
  EXPECT_NE(text.find("6.011   1.2, 0.00839"), std::string::npos) << text;
}

TEST(PoseVerbs, UndampedModesHaveTheRatioZero) {
  const std::string path = pendulum("0.2", false);
  const auto mode = lithe({"modes", path, "--json"}).json()["modes"][0];
  EXPECT_EQ(mode["damping_ratio"].get<double>(), 0.0);
  EXPECT_EQ(mode["oscillates"], true);
  EXPECT_FALSE(mode.contains("time_constants"));
  EXPECT_NE(lithe({"modes", path}).out.find("0.704968              0  hinge 100%"), std::string::npos)
      << lithe({"modes", path}).out;
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

/// Writes a model for the test that runs, and asks for its statics.
Answer statics_of(const std::string& model, const std::vector<std::string>& options = {"--json"}) {
  const Folder folder;
  write_text(folder.file("model.yaml"), "lithe: 1\nname: reactions\n" + model);
  std::vector<std::string> arguments{"statics", folder.file("model.yaml")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return lithe(arguments);
}

void expect_wrench(const nlohmann::json& found, const std::array<double, 3>& force, const std::array<double, 3>& moment,
                   double tolerance) {
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(found["force"][a].get<double>(), force[a], tolerance) << found << a;
    EXPECT_NEAR(found["moment"][a].get<double>(), moment[a], tolerance) << found << a;
  }
}

// The hinge carries the weight m g and, about its own axis, what the motor holds: m g l sin(30 deg).
TEST(Statics, HingeCarriesWeightAndMotor) {
  const Answer answer = lithe({"statics", pendulum("30 deg", true), "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  expect_wrench(answer.json()["reactions"]["hinge"], {0, 2 * 9.81, 0}, {0, 0, 2 * 9.81 * 0.5 * 0.5}, 1e-10);
}

// A beam of 3 kg on a pin and a roller, sagging under its weight: each carries half of it, upright, without a moment.
TEST(Statics, BeamOnTwoSupportsRestsHalfOnEach) {
  const std::string beam =
      "gravity: [0, -9.81, 0]\n"
      "links:\n"
      "  bar: {beam: {length: 2, mass: 3, EI: 400}, modes: {count: 3, root: chord}}\n"
      "  roller: {rigid: {mass: 0}}\n"
      "joints:\n"
      "  left: {revolute: z, from: ground, to: bar/root}\n"
      "  right: {revolute: z, from: roller, to: bar/tip}\n"
      "  guide: {prismatic: x, from: ground, to: roller}\n"
      "initial: {guide: 2}\n";
  const Answer answer = statics_of(beam);
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto found = answer.json()["reactions"];
  for (const char* joint : {"left", "right", "guide"}) expect_wrench(found[joint], {0, 1.5 * 9.81, 0}, {0, 0, 0}, 1e-7);
  // The same in words.
  const std::string text = statics_of(beam, {}).out;
  EXPECT_NE(text.find("joint  Fx (N)  Fy (N)  Fz (N)  Mx (N m)  My (N m)  Mz (N m)"), std::string::npos) << text;
  EXPECT_NE(text.find("left        0  14.715       0         0         0         0"), std::string::npos) << text;
}

// Two bars from the ground at -3 m and 3 m to a pin at (0, 4) m that a load of 120 N presses down. Joint by joint: 60 N
// upright in each bar, so 60 * 3/4 = 45 N across. Load and pin belong to the right bar.
TEST(Statics, BarsOfALoopShareALoad) {
  const Answer answer = statics_of(
      "links:\n"
      "  left: {rigid: {mass: 1}, frames: {top: [5, 0]}}\n"
      "  right: {rigid: {mass: 1}, frames: {top: [5, 0]}}\n"
      "ground: {a: [-3, 0], b: [3, 0]}\n"
      "joints:\n"
      "  foot-left: {revolute: z, from: ground/a, to: left}\n"
      "  foot-right: {revolute: z, from: ground/b, to: right}\n"
      "  top: {revolute: z, from: left/top, to: right/top}\n"
      "loads: {press: {at: right/top, force: [0, -120, 0]}}\n"
      "initial: {foot-left: 53 deg, foot-right: 127 deg}\n");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto found = answer.json()["reactions"];
  expect_wrench(found["foot-left"], {45, 60, 0}, {0, 0, 0}, 1e-9);
  expect_wrench(found["foot-right"], {-45, 60, 0}, {0, 0, 0}, 1e-9);
  expect_wrench(found["top"], {45, 60, 0}, {0, 0, 0}, 1e-9);
}

TEST(Statics, NamesEveryFrameOnce) {
  const std::string out = lithe({"statics", example("spin-up-beam")}).out;
  const std::size_t first = out.find("\n  beam/tip ");
  EXPECT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find("\n  beam/tip ", first + 1), std::string::npos) << out;
}

// Boutin reference, 3.6: roller at node 2, no actuator force: node 39 by (-0.0074, 0.2032) m in link axes, at -7.9301 deg. Inertia turns
// with the boom, worth 0.05 percent. The static twin makes the answer independent of the modes that are kept, but for shapes of less
// than 1e-5 of what a load does.
TEST(PoseVerbs, StaticsUnderTheInertiaOfAMotion) {
  const auto moved = [](const std::string& modes) {
    const Answer answer = lithe(
        {"statics", example("boutin-pivoting-boom"), "--at", "5", "--moving", "--json", "--set", "modes=" + modes});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    return answer.json();
  };
  const auto few = moved("1"), all = moved("75");
  const double angle = -7.9301 * std::acos(-1.0) / 180;
  const double expected[] = {-0.0074 * std::cos(angle) - 0.2032 * std::sin(angle),
                             -0.0074 * std::sin(angle) + 0.2032 * std::cos(angle)};
  for (int axis = 0; axis < 2; ++axis) {
    const double ours = few["frames"]["boom/t-18"]["displacement"][axis];
    EXPECT_NEAR(ours, expected[axis], 2e-4) << axis;
    EXPECT_NEAR(ours, all["frames"]["boom/t-18"]["displacement"][axis].get<double>(), 2e-6) << axis;
  }
  EXPECT_FALSE(few.contains("iterations"));
  // J alpha of the rigid boom, 4633361.7 kg m^2 and -0.023516 rad/s^2, and what its bending adds.
  EXPECT_NEAR(few["motors"]["hinge"].get<double>(), -4633361.7 * 0.023516, 100);
}

TEST(PoseVerbs, MovingStaticsNeedsATimeAndItsMotors) {
  const auto complaint_of = [](std::vector<std::string> more) {
    std::vector<std::string> words{"statics", example("boutin-pivoting-boom"), "--moving"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = lithe(words);
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_EQ(complaint_of({}), "lithe: error: --moving needs the time of the motion: --at TIME\n");
  EXPECT_EQ(complaint_of({"--at", "5", "--free"}), "lithe: error: --moving: the motors make the motion; drop --free\n");
  EXPECT_EQ(complaint_of({"--at", "5", "--frame", "boom/tip"}),
            "lithe: error: --frame asks for the compliance at rest; drop it or --moving\n");
}

}  // namespace
}  // namespace lithe::testing
