// The command line itself: help, version, exit codes and messages.

#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

TEST(CommandLine, PrintsItsVersion) {
  const Answer answer = lithe({"--version"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_TRUE(answer.out.starts_with("lithe ")) << answer.out;
}

TEST(CommandLine, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"new", "convert", "check", "link", "kinematics", "inverse", "simulate", "compare", "schema",
                           "reproduce", "demo"}) {
    const Answer answer = lithe({verb, "--help"});
    EXPECT_EQ(answer.exit_code, 0) << verb;
    EXPECT_NE(answer.out.find(std::string("Example: lithe ") + verb), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("--json"), std::string::npos) << verb;
    EXPECT_TRUE(answer.err.empty()) << answer.err;
  }
}

TEST(CommandLine, BadFlagsExitWithTwoAndPointToHelp) {
  const std::vector<std::vector<std::string>> bad = {{},
                                                     {"simulat", example("four-bar")},
                                                     {"simulate"},
                                                     {"simulate", example("four-bar"), "--untill", "1"},
                                                     {"simulate", example("four-bar"), "--until", "soon"},
                                                     {"compare", example("four-bar"), "--states", "0"}};
  for (const auto& arguments : bad) {
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_TRUE(answer.out.empty()) << answer.out;
    EXPECT_TRUE(answer.err.starts_with("lithe: error: ")) << answer.err;
    EXPECT_NE(answer.err.find("--help"), std::string::npos) << answer.err;
  }
}

TEST(CommandLine, NamesUnknownChoices) {
  const Answer answer = lithe({"simulate", example("four-bar"), "--integrator", "euler"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err,
            "lithe: error: --integrator euler: no such choice; use one of bdf, adams, dopri, rk4, dopri5-fixed, ode45, "
            "generalized-alpha, ida\n");
}

TEST(CommandLine, NamesAMissingFile) {
  const Answer answer = lithe({"check", "nowhere.yaml"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: nowhere.yaml: no such file\n");
}

TEST(CommandLine, RefusesAnIncompleteSet) {
  const Answer answer = lithe({"check", example("four-bar"), "--set", "speed"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: --set speed: expected name=value, e.g. --set g=0\n");
}

TEST(CommandLine, ErrorsOfAModelComeAllAtOnceWithTheirPlace) {
  const Folder folder;
  const std::string path = folder.file("bad.yaml");
  write_text(path, "lithe: 1\nnam: bad\nlinks:\n  bar: {rigid: {mass: heavy}}\n");
  const Answer answer = lithe({"check", path});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find(path + ":2:"), std::string::npos) << answer.err;
  EXPECT_NE(answer.err.find(path + ":4:"), std::string::npos) << answer.err;
}

TEST(CommandLine, JsonAnswersStayJsonWhenTheyFail) {
  const Answer answer = lithe({"check", "nowhere.yaml", "--json"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.json()["ok"], false);
  EXPECT_EQ(answer.json()["exit"], 2);
  EXPECT_EQ(answer.json()["errors"][0], "nowhere.yaml: no such file");
}

TEST(CommandLine, NoColoursWithoutATerminal) {
  const Answer answer = lithe({"check", example("four-bar")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out.find('\033'), std::string::npos);
}

TEST(Schema, IsJson) {
  const Answer answer = lithe({"schema"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_TRUE(answer.json().contains("$schema"));
  EXPECT_TRUE(answer.json()["properties"].contains("joints"));
}

}  // namespace
}  // namespace lithe::testing
