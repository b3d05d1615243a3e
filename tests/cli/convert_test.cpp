// lithe convert: from a URDF on disk to a model that runs; messages and exit codes.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

const std::string example_urdf = source_folder() + "/examples/urdf/palletiser.urdf";
const std::string example_side = source_folder() + "/examples/urdf/palletiser-side.yaml";

TEST(Convert, LoopAndElasticLinkSimulate) {
  const Folder folder;
  const std::string model = folder.file("palletiser.yaml");
  const Answer made = lithe({"convert", example_urdf, "--with", example_side, "-o", model});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, model + ": 6 links, 7 joints\nnext: lithe check " + model + "\n");
  EXPECT_EQ(made.err, "");

  const nlohmann::json found = lithe({"check", model, "--json"}).json();
  EXPECT_EQ(found["ok"], true) << found;
  // Three motors; the rod and the lever are the loop; the ball of a planar loop has one equation too many.
  EXPECT_EQ(found["mobility"], 3);
  EXPECT_EQ(found["actuation"], "exact");
  EXPECT_EQ(found["loops"].size(), 1U);
  EXPECT_EQ(found["redundant_closures"], nlohmann::json::array({"distance along y of rod-pin"}));

  const Answer run = lithe({"simulate", model, "--until", "0.2", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_LT(run.json()["audit"]["worst_closure"].get<double>(), 1e-9);
}

TEST(Convert, WithoutOutputPrintsTheModel) {
  const Answer answer = lithe({"convert", example_urdf});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_TRUE(answer.out.starts_with("# Converted from palletiser.urdf by lithe convert.\n")) << answer.out;
  EXPECT_EQ(lithe({"convert", example_urdf, "--json"}).json()["text"], answer.out);
}

TEST(Convert, AMalformedUrdfIsBadInputWithItsPlace) {
  const Folder folder;
  const std::string urdf = folder.file("bad.urdf");
  write_text(urdf,
             "<robot name=\"r\">\n  <link name=\"base\"/>\n  <link name=\"arm\"/>\n"
             "  <joint name=\"j\" type=\"fixed\"><parent link=\"bse\"/><child link=\"arm\"/></joint>\n</robot>\n");
  const Answer answer = lithe({"convert", urdf, "-o", folder.file("bad.yaml")});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: " + urdf + ":4:32: joint 'j': there is no link 'bse'; did you mean 'base'?\n");
  EXPECT_TRUE(answer.out.empty());
  EXPECT_FALSE(std::filesystem::exists(folder.file("bad.yaml")));
}

TEST(Convert, ImpossibleInertiasAndCouplingsAreSettledByOptions) {
  const Folder folder;
  const std::string corpus = source_folder() + "/tests/io/urdf/corpus/";
  const std::string model = folder.file("robot.yaml");
  EXPECT_EQ(lithe({"convert", corpus + "impossible-inertia.urdf", "-o", model}).exit_code, 2);
  for (const char* choice : {"repair", "accept"}) {
    const Answer made = lithe({"convert", corpus + "impossible-inertia.urdf", "--inertia", choice, "-o", model});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_NE(made.err.find("no body has the principal moments"), std::string::npos) << made.err;
    EXPECT_EQ(lithe({"check", model}).exit_code, 0) << choice;
  }
  EXPECT_EQ(lithe({"convert", corpus + "impossible-inertia.urdf", "--inertia", "ignore"}).exit_code, 2);
  EXPECT_EQ(lithe({"convert", corpus + "coupling.urdf"}).exit_code, 2);
  const Answer made = lithe({"convert", corpus + "coupling.urdf", "--ignore-couplings", "--json"});
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_EQ(made.json()["notes"].size(), 1U);
}

TEST(Convert, DoesNotOverwriteItsSources) {
  const Folder folder;
  const std::string side = folder.file("side.yaml");
  write_text(side, "lithe: 1\n");
  const Answer answer = lithe({"convert", example_urdf, "--with", side, "-o", side});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: " + side + ": would be overwritten by its own conversion; choose another -o\n");
  EXPECT_EQ(read_text(side), "lithe: 1\n");
}

}  // namespace
}  // namespace lithe::testing
