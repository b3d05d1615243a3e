// lithe new: starters that load, check and run; files that are there stay.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "support/case_name.hpp"

namespace lithe::testing {
namespace {

class Starters : public ::testing::TestWithParam<const char*> {};

// The energy balance of a run is an identity; 1e-6 of the energy exchanged leaves room for the tolerance 1e-8 of the
// run.
TEST_P(Starters, LoadsChecksAndSimulates) {
  const Folder folder;
  const std::string path = folder.file("mine.yaml");
  const Answer written = lithe({"new", GetParam(), "-o", path});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  EXPECT_NE(written.out.find("next: lithe check " + path), std::string::npos) << written.out;
  const std::string text = read_text(path);
  EXPECT_TRUE(text.starts_with("# "));
  EXPECT_EQ(text.find("model.yaml"), std::string::npos) << "commands in the comment name the written file";

  const nlohmann::json found = lithe({"check", path, "--json"}).json();
  EXPECT_EQ(found["ok"], true) << found;
  EXPECT_EQ(found["actuation"], "exact");
  EXPECT_TRUE(found["redundant_closures"].empty()) << found["redundant_closures"];

  const Answer run = lithe({"simulate", path, "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json audit = run.json()["audit"];
  EXPECT_TRUE(audit["warnings"].empty()) << audit["warnings"];
  // That the forces and the motion of the model belong together, with an integrator whose quadratures are this exact.
  const nlohmann::json exact = lithe({"simulate", path, "--integrator", "bdf", "--json"}).json()["audit"];
  EXPECT_LT(exact["energy_error"].get<double>(), 1e-6 * exact["energy_scale"].get<double>()) << exact;
  EXPECT_EQ(lithe({"simulate", path, "--rigid", "--until", "0.1"}).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Starters,
                         ::testing::Values("serial-arm", "five-bar", "3-rrr", "stewart-platform", "truss-boom"),
                         [](const auto& info) { return testing::case_name(std::string("n_") + info.param); });

TEST(New, ListsItsKinds) {
  const nlohmann::json found = lithe({"new", "--list", "--json"}).json();
  std::vector<std::string> kinds;
  for (const auto& each : found["starters"]) kinds.push_back(each["kind"]);
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"3-rrr", "excavator", "five-bar", "geared-arm", "gripper", "scara",
                                      "scissor-lift", "serial-arm", "stewart-platform", "truss-boom", "winch-crane"}));
  EXPECT_EQ(
      found["starters"][9]["what"],
      "Truss boom: a planar boom of four bays on a hinge, raised by a hydraulic cylinder, with a load at its tip.");
  EXPECT_EQ(lithe({"new"}).out, lithe({"new", "--list"}).out);
}

TEST(New, MachinesOfTheGalleryLoadWhereTheyAreWritten) {
  const Folder folder;
  for (const char* kind : {"excavator", "geared-arm", "gripper", "scara", "scissor-lift", "winch-crane"}) {
    const std::string path = folder.file(std::string(kind) + "-copy.yaml");
    ASSERT_EQ(lithe({"new", kind, "-o", path}).exit_code, 0) << kind;
    const Answer checked = lithe({"check", path});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_NE(read_text(path).find("lithe simulate " + path), std::string::npos) << kind;
  }
}

TEST(New, DoesNotOverwriteUnlessForced) {
  const Folder folder;
  const std::string path = folder.file("precious.yaml");
  write_text(path, "years of work\n");
  const Answer refused = lithe({"new", "3-rrr", "-o", path});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "lithe: error: " + path + ": exists already; --force overwrites it\n");
  EXPECT_EQ(read_text(path), "years of work\n");
  EXPECT_EQ(lithe({"new", "3-rrr", "-o", path, "--force"}).exit_code, 0);
  EXPECT_NE(read_text(path), "years of work\n");
}

TEST(New, UnknownKindNamesTheOthers) {
  const Answer answer = lithe({"new", "fivebar"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(
      answer.err,
      "lithe: error: no starter model 'fivebar'; did you mean 'five-bar'?; there are: 3-rrr, "
      "excavator, "
      "five-bar, geared-arm, gripper, scara, scissor-lift, serial-arm, stewart-platform, truss-boom, winch-crane\n");
}

TEST(New, MissingFolderIsNamed) {
  const Answer answer = lithe({"new", "five-bar", "-o", "/nowhere/at/all.yaml"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: /nowhere/at/all.yaml: the folder /nowhere/at does not exist\n");
}

}  // namespace
}  // namespace lithe::testing
