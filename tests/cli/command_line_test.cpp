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
  for (const char* verb : {"new", "convert", "check", "link", "kinematics", "inverse", "simulate", "compare", "bench",
                           "schema", "reproduce", "demo"}) {
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

TEST(CommandLine, SaysWhatIsWrongWithACommand) {
  const auto said = [](const std::vector<std::string>& arguments) {
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_EQ(said({}), "lithe: error: a verb is missing, e.g. lithe check model.yaml\nTry: lithe --help\n");
  EXPECT_EQ(said({"arm.yaml"}), "lithe: error: a verb is missing, e.g. lithe check arm.yaml\nTry: lithe --help\n");
  EXPECT_EQ(said({"simulat", "arm.yaml"}),
            "lithe: error: there is no verb 'simulat'; did you mean 'simulate'?\nTry: lithe --help\n");
  EXPECT_EQ(said({"--verison"}),
            "lithe: error: lithe has no option '--verison'; did you mean '--version'?\nTry: lithe --help\n");
  EXPECT_EQ(said({"simulate"}), "lithe: error: the argument model is missing\nTry: lithe simulate --help\n");
  EXPECT_EQ(said({"plot", "a.h5"}), "lithe: error: the option --output is missing\nTry: lithe plot --help\n");
  EXPECT_EQ(
      said({"simulate", "arm.yaml", "--untill", "3"}),
      "lithe: error: lithe simulate has no option '--untill'; did you mean '--until'?\nTry: lithe simulate --help\n");
  EXPECT_EQ(said({"check", "arm.yaml", "leg.yaml"}),
            "lithe: error: lithe check has no use for 'leg.yaml'\nTry: lithe check --help\n");
}

TEST(CommandLine, HelpIsAlsoAVerb) {
  EXPECT_EQ(lithe({"help"}).out, lithe({"--help"}).out);
  EXPECT_EQ(lithe({"help", "check"}).out, lithe({"check", "--help"}).out);
  EXPECT_EQ(lithe({"help"}).exit_code, 0);
}

TEST(CommandLine, TellsModelsResultsAndTablesApart) {
  const Folder folder;
  const std::string results = folder.file("four-bar.h5"), table = folder.file("four-bar.csv");
  ASSERT_EQ(lithe({"simulate", example("four-bar"), "--until", "0.1", "-o", results}).exit_code, 0);
  const Answer model = lithe({"check", results});
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_EQ(model.err, "lithe: error: " + results + ": is a result file (HDF5), expected a model file; lithe show " +
                           results + " makes a page of it\n");
  const Answer ending = lithe({"simulate", example("four-bar"), "-o", table});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.err, "lithe: error: " + table +
                            ": --output writes HDF5, and its name ends in .h5; a table of text: --csv " + table + "\n");
}

TEST(CommandLine, NamesUnknownChoices) {
  const Answer answer = lithe({"simulate", example("four-bar"), "--integrator", "euler"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err,
            "lithe: error: --integrator euler: no such choice; use one of auto, exponential, bdf, adams, dopri, rk4, "
            "dopri5-fixed, ode45, "
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
