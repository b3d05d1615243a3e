// Mechanisms with nothing to move: every verb answers and none crashes.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "support/still_models.hpp"

namespace lithe::testing {
namespace {

TEST(NoFreedom, EveryVerbAnswers) {
  const Folder folder;
  for (const char* text : {single_fixed_link, welded_links, rigid_triangle}) {
    const std::string model = folder.file("still.yaml"), result = folder.file("still.h5");
    write_text(model, text);
    for (const char* verb :
         {"check", "kinematics", "inverse", "simulate", "compare", "bench", "statics", "modes", "linearize"}) {
      const Answer answer = lithe({verb, model});
      EXPECT_EQ(answer.exit_code, 0) << verb << "\n" << text << answer.out << answer.err;
      EXPECT_EQ(lithe({verb, model, "--json"}).json()["ok"], true) << verb;
    }
    EXPECT_NE(lithe({"compare", model}).out.find("nothing can move"), std::string::npos);
    EXPECT_NE(lithe({"modes", model}).out.find("nothing can move"), std::string::npos);
    EXPECT_EQ(lithe({"check", model, "--json"}).json()["mobility"], 0);
    ASSERT_EQ(lithe({"simulate", model, "-o", result}).exit_code, 0);
    const Answer page = lithe({"show", result, "-o", folder.file("still.html")});
    if (page.err.find("has no viewer") == std::string::npos) EXPECT_EQ(page.exit_code, 0) << page.err;
  }
}

TEST(NoFreedom, ARobotOfOneLinkConvertsAndRuns) {
  const Folder folder;
  const std::string urdf = folder.file("block.urdf"), model = folder.file("block.yaml");
  write_text(urdf,
             "<robot name=\"block\"><link name=\"body\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" ixy=\"0\" "
             "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link></robot>\n");
  const Answer made = lithe({"convert", urdf, "-o", model});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.err.find("nothing that moves"), std::string::npos) << made.err;
  for (const char* verb : {"check", "simulate", "compare", "statics", "modes", "linearize"})
    EXPECT_EQ(lithe({verb, model}).exit_code, 0) << verb;
}

}  // namespace
}  // namespace lithe::testing
