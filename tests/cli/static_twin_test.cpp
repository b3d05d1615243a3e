// lithe statics with residual flexibility: exact whatever modes are kept, and what the model cannot know is said.

#include <gtest/gtest.h>

#include <fstream>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

/// A beam of 0.5 m on a motor that keeps one mode.
std::string one_mode_beam(const std::string& stiffness) {
  const char* test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = ::testing::TempDir() + "statics-" + test + ".yaml";
  std::ofstream(path) << "lithe: 1\nname: cantilever\nlinks:\n"
                      << "  arm: {beam: {length: 0.5, mass: 0.2, " << stiffness
                      << "}, modes: {count: 1}, frames: {middle: 0.25}}\n"
                      << "joints: {motor: {revolute: z, from: ground, to: arm/root, actuated: true}}\n";
  return path;
}

// Closed forms of the cantilever: L/EA, L^3/(3 EI), L/EI at its tip and its middle.
TEST(StaticsVerb, ComplianceDoesNotDependOnTheModes) {
  const std::string path = one_mode_beam("EI: 20, EA: 4e5");
  for (const auto& [frame, at] : {std::pair{"arm/tip", 0.5}, {"arm/middle", 0.25}}) {
    const Answer answer = lithe({"statics", path, "--frame", frame, "--json"});
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const auto found = answer.json();
    EXPECT_NEAR(found["compliance"][3][3].get<double>() * 4e5 / at, 1.0, 1e-6);
    EXPECT_NEAR(found["compliance"][4][4].get<double>() * 60 / (at * at * at), 1.0, 1e-6);
    EXPECT_NEAR(found["compliance"][2][2].get<double>() * 20 / at, 1.0, 1e-6);
    EXPECT_FALSE(found.contains("inextensible"));
    EXPECT_EQ(found["coordinates"], nlohmann::json({"arm.e1"}));  // residual ones are no coordinates of the model
  }
}

TEST(StaticsVerb, InextensibleLinksAreNamed) {
  const std::string path = one_mode_beam("EI: 20");
  const Answer answer = lithe({"statics", path, "--frame", "arm/tip", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.json()["inextensible"], nlohmann::json({"arm"}));
  EXPECT_NEAR(answer.json()["compliance"][3][3].get<double>(), 0.0, 1e-20);
  const std::string out = lithe({"statics", path, "--frame", "arm/tip"}).out;
  EXPECT_NE(out.find("inextensible, because neither 'EA' nor a section is given (or stretching is switched off): arm"),
            std::string::npos)
      << out;
}

}  // namespace
}  // namespace lithe::testing
