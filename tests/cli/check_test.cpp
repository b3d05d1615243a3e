// lithe check on the gallery. Mobilities and redundancies are textbook values, stated at each.

#include <gtest/gtest.h>

#include "cli/program.hpp"

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
  const std::string model = std::string(LITHE_SOURCE_DIR) + "/tests/io/accepted/automatic-modes.yaml";
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
  const Answer answer = lithe({"check", LITHE_SOURCE_DIR "/tests/io/accepted/beam-in-guide.yaml"});
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

}  // namespace
}  // namespace lithe::testing
