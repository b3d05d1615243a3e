// Joints that play the same part.

#include "lithe/mechanism/alike.hpp"

#include <gtest/gtest.h>

#include "support/khan_6ups.hpp"

namespace lithe {
namespace {

int class_of(const Mechanism& m, const std::vector<int>& classes, const std::string& joint) {
  return classes[m.find_joint(joint)];
}

TEST(Alike, LegsOfASixLegRobot) {
  const Mechanism m = testing::khan_6ups::mechanism();
  const std::vector<int> classes = detail::alike_joints(m);
  for (const char* part : {"tilt", "lean", "stroke", "wrist"})
    for (int leg = 1; leg < 6; ++leg)
      EXPECT_EQ(class_of(m, classes, testing::khan_6ups::name(part, leg)),
                class_of(m, classes, testing::khan_6ups::name(part, 0)))
          << part << leg;
  EXPECT_NE(class_of(m, classes, "tilt-0"), class_of(m, classes, "lean-0"));
}

// One leg with another mass: its joints are told apart all the way, although its neighbours are the same.
TEST(Alike, ADifferentLegIsAlone) {
  Mechanism m = testing::khan_6ups::mechanism();
  const int joint = m.find_joint("stroke-3");
  m.links[m.joints[joint].to.link].mass += 0.1;
  const std::vector<int> classes = detail::alike_joints(m);
  EXPECT_NE(class_of(m, classes, "tilt-3"), class_of(m, classes, "tilt-0"));
  EXPECT_NE(class_of(m, classes, "wrist-3"), class_of(m, classes, "wrist-0"));
  EXPECT_EQ(class_of(m, classes, "wrist-4"), class_of(m, classes, "wrist-0"));
}

}  // namespace
}  // namespace lithe
