#include "lithe/dynamics/denoc_layout.hpp"

#include <gtest/gtest.h>

#include "support/khan_3rrr.hpp"
#include "support/khan_6ups.hpp"
#include "support/oracle.hpp"

namespace lithe::detail {
namespace {

using testing::mechanism_of;
using testing::read_oracle;

TEST(DenocLayout, FindsThePlatformOfThe3RRR) {
  const Mechanism m = testing::khan_3rrr::mechanism();
  const DenocLayout layout = find_denoc_layout(m, "");
  EXPECT_EQ(layout.refusal, "");
  EXPECT_EQ(layout.platform, m.find_link("platform"));
  ASSERT_EQ(layout.legs.size(), 3u);
  for (int j = 0; j < 3; ++j) {
    ASSERT_EQ(layout.legs[j].size(), 3u);
    EXPECT_EQ(m.joints[layout.legs[j][0].joint].name, testing::khan_3rrr::name("motor", j));
    EXPECT_EQ(m.joints[layout.legs[j][2].joint].name, testing::khan_3rrr::name("ankle", j));
    for (const LegStep& step : layout.legs[j]) EXPECT_FALSE(step.reversed);
    EXPECT_EQ(layout.legs[j][2].link, layout.platform);
  }
}

TEST(DenocLayout, SixLegs) {
  const DenocLayout layout = find_denoc_layout(testing::khan_6ups::mechanism(), "");
  ASSERT_EQ(layout.legs.size(), 6u);
  for (const auto& leg : layout.legs) EXPECT_EQ(leg.size(), 4u);
}

// In a single loop every moving link can be the platform; the middle one makes the legs shortest.
TEST(DenocLayout, SingleLoopIsCutInTheMiddle) {
  const Mechanism m = mechanism_of(read_oracle("rssr"));
  const DenocLayout layout = find_denoc_layout(m, "");
  ASSERT_EQ(layout.legs.size(), 2u);
  EXPECT_EQ(layout.legs[0].size(), 2u);
  EXPECT_EQ(layout.legs[1].size(), 2u);
  const DenocLayout chosen = find_denoc_layout(m, "crank");
  EXPECT_EQ(chosen.refusal, "");
  EXPECT_EQ(chosen.platform, m.find_link("crank"));
  // Seen from the crank the joint `near` points against its leg.
  EXPECT_TRUE(chosen.legs[1].back().reversed);
}

TEST(DenocLayout, SaysWhyNot) {
  const Mechanism robot = testing::khan_3rrr::mechanism();
  EXPECT_EQ(find_denoc_layout(robot, "crank-1").refusal,
            "with platform 'crank-1', link 'platform' is not part of one serial chain from the ground to the platform");
  EXPECT_EQ(find_denoc_layout(robot, "plattform").refusal, "there is no link 'plattform' to be the platform");

  Mechanism with_gripper = testing::khan_3rrr::mechanism();
  LinkData gripper;
  gripper.name = "gripper";
  gripper.mass = 1.0;
  Joint wrist;
  wrist.name = "wrist";
  wrist.from = {with_gripper.find_link("platform"), 0};
  wrist.to = {with_gripper.add_link(gripper), 0};
  with_gripper.add_joint(wrist);
  EXPECT_EQ(find_denoc_layout(with_gripper, "platform").refusal,
            "with platform 'platform', link 'gripper' is not part of one serial chain from the ground to the platform");
  EXPECT_EQ(
      find_denoc_layout(with_gripper, "").refusal,
      "no link can be the platform: none is reached by serial chains from the ground that together hold all joints");
}

}  // namespace
}  // namespace lithe::detail
