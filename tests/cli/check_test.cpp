// lithe check on the gallery. Mobilities and redundancies are textbook values, stated at each.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "cli/program.hpp"
#include "lithe/spatial/pose.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

nlohmann::json check(const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"check", example(name), "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Answer answer = lithe(arguments);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  return answer.json();
}

TEST(Check, FourBarHasOneFreedomAndTwoBranches) {
  const auto found = check("four-bar", {"--branches"});
  EXPECT_EQ(found["mobility"], 1);
  EXPECT_EQ(found["planar"], true);
  EXPECT_EQ(found["actuation"], "exact");
  EXPECT_EQ(found["loops"].size(), 1u);
  EXPECT_EQ(found["branches"].size(), 2u);  // rocker up or down: two circles meet in two points
}

TEST(Check, KhanRobotAssemblesInTwoWays) {
  const auto found = check("khan-3rrr", {"--branches"});
  EXPECT_EQ(found["mobility"], 3);
  EXPECT_EQ(found["loops"].size(), 2u);
  EXPECT_EQ(found["branches"].size(), 2u);  // Khan reference 5.3: exactly two real assembly modes at t = 0
  // Reference 5.3: the printed, rounded posture misses closure by 2.7e-4.
  EXPECT_GT(found["assembly"]["initial_error"].get<double>(), 1e-4);
  EXPECT_LT(found["assembly"]["initial_error"].get<double>(), 1e-3);
  EXPECT_LT(found["assembly"]["error"].get<double>(), 1e-12);
}

TEST(Check, AutomaticModesAreExplained) {
  const std::string model = source_folder() + "/tests/io/accepted/automatic-modes.yaml";
  const Answer json = lithe({"check", model, "--json"}), text = lithe({"check", model});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto link = json.json()["links"][0];
  const std::string choice = link["automatic"]["choice"], band = link["automatic"]["band"];
  EXPECT_EQ(link["reference"], "clamped");
  EXPECT_TRUE(choice.starts_with("clamped, because shoulder drives its root; ")) << choice;
  EXPECT_TRUE(band.starts_with("the frequencies of the mechanism up to 50 Hz (")) << band;
  EXPECT_NE(text.out.find("automatic: " + choice), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("automatic modes: " + band), std::string::npos) << text.out;
  EXPECT_FALSE(json.json()["links"][0].contains("choice"));
}

TEST(Check, SarrusNamesItsRedundantClosure) {
  const auto found = check("sarrus");
  EXPECT_EQ(found["mobility"], 1);  // the table moves straight
  EXPECT_EQ(found["closures"].get<int>() - found["closure_rank"].get<int>(), 1);
  ASSERT_EQ(found["redundant_closures"].size(), 1u);
  const std::string cut = found["loops"][0]["cut"];
  EXPECT_NE(found["redundant_closures"][0].get<std::string>().find(cut), std::string::npos);
}

TEST(Check, DeltaHasNoIdleSpin) {
  const auto found = check("delta-robot");
  EXPECT_EQ(found["mobility"], 3);  // three translations
  EXPECT_EQ(found["actuation"], "exact");
  EXPECT_EQ(found["planar"], false);
}

TEST(Check, SixLegsGiveSixFreedoms) { EXPECT_EQ(check("khan-6ups")["mobility"], 6); }

TEST(Check, TwoArmsAreRedundantlyActuated) {
  const auto found = check("two-arms");
  EXPECT_EQ(found["mobility"], 3);
  EXPECT_EQ(found["actuators"], 6);
  EXPECT_EQ(found["actuation"], "redundant");
}

TEST(Check, SatelliteIsUnderActuated) {
  const auto found = check("satellite-arm");
  EXPECT_EQ(found["mobility"], 9);  // six of the floating base, three of the arm
  EXPECT_EQ(found["actuation"], "under-actuated");
}

TEST(Check, SaysWhenAssemblyBendsLinks) {
  const Answer answer = lithe({"check", source_folder() + "/tests/io/accepted/beam-in-guide.yaml"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("the joints alone do not close the loops: elastic links are bent for it"),
            std::string::npos)
      << answer.out;
}

TEST(Check, PrintsPartsTreeLoopsAndMotion) {
  const Answer answer = lithe({"check", example("five-bar")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"links (4)", "joints (5)", "spanning tree", "loops (1)", "mobility", "redundant closures",
                           "actuation", "independent", "planar", "closure condition", "assembly"}) {
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
  }
}

TEST(Check, PrintsThePoseAtTheStart) {
  const auto found = check("delta-robot");
  const auto platform = found["pose"]["links"]["platform"];
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(platform["rotation_vector"][axis].get<double>(), 0.0, 1e-12);
  // Level, below the elbows: -arm sin q - sqrt(rod^2 - (base + arm cos q - top)^2).
  const double out = 0.2 + 0.25 * std::cos(0.3) - 0.06;
  EXPECT_NEAR(platform["at"][2].get<double>(), -0.25 * std::sin(0.3) - std::sqrt(0.25 - out * out), 1e-12);
  EXPECT_EQ(found["pose"]["joints"]["motor-1"], 0.3);
  const Answer text = lithe({"check", example("delta-robot")});
  EXPECT_NE(text.out.find("pose at the start"), std::string::npos);
  EXPECT_NE(text.out.find("elbow-3-right"), std::string::npos);
}

TEST(Check, SaysWhatGaveWay) {
  const Answer text = lithe({"check", example("four-bar")});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.err.find("joint 'pivot' starts at 90 deg, not at the given 94 deg"), std::string::npos) << text.err;
  EXPECT_EQ(check("four-bar")["notes"].size(), 1u);
}

// Every line fits a terminal of 80 columns, every row has a name, elastic coordinates are left out.
TEST(Check, BranchesFitTheTerminal) {
  const Answer text = lithe({"check", example("flexible-3rrr"), "--branches"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  std::istringstream lines(text.out.substr(text.out.find("\nassemblies (")));
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80u) << line;
    if (line.find(" deg ") != std::string::npos) ++rows;
    EXPECT_EQ(line.find(".e1"), std::string::npos) << line;
  }
  EXPECT_GT(rows, 5);
}

// The platform of a Delta goes through three circles of rods: pairs of assemblies differ in where a frame stands, never
// only in how a rod is turned about its own axis.
TEST(Check, BranchesAreListedOnce) {
  const auto found = check("delta-robot", {"--branches"});
  const auto& branches = found["branches"];
  ASSERT_GE(branches.size(), 2u);
  for (std::size_t a = 0; a < branches.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double apart = 0.0;
      for (const auto& [name, value] : branches[a].items()) {
        if (!name.starts_with("elbow")) continue;
        // Direction of a rod from its universal joint about y, then x: half a turn about the rod leaves it.
        const std::string joint = name.substr(0, name.rfind('.'));
        const auto direction = [&](const nlohmann::json& at) {
          const double y = at[joint + ".0"], x = at[joint + ".1"];
          return Vec3(-std::sin(y) * std::cos(x), std::sin(x), -std::cos(y) * std::cos(x));
        };
        apart = std::max(apart, (direction(branches[a]) - direction(branches[b])).norm());
      }
      EXPECT_GT(apart, 1e-5) << a << " " << b;
    }
}

}  // namespace
}  // namespace lithe::testing
