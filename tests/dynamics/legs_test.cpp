#include "lithe/dynamics/legs.hpp"

#include <gtest/gtest.h>

#include "lithe/dynamics/forward.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

std::vector<LegQuantities> legs_in_motion(Mechanism mechanism, double speed_before) {
  const Plan plan(std::move(mechanism), {Coordinates::joint, "platform", true});
  Workspace work(plan);
  State state;
  state.q = khan::initial_posture(plan);
  state.v = VectorX::Zero(plan.nv());
  EXPECT_TRUE(select_independent(plan, work, state.q));
  // Whatever the workspace has seen before must not matter.
  VectorX a = VectorX::Zero(plan.nv());
  for (const int v : work.independent()) state.v[v] = speed_before;
  EXPECT_TRUE(complete_speeds(plan, work, state.q, state.v));
  EXPECT_TRUE(forward_dynamics(plan, work, state, Actions(plan), a));
  for (const int v : work.independent()) state.v[v] = 0.3 + 0.1 * v;
  EXPECT_TRUE(complete_speeds(plan, work, state.q, state.v));
  a.setZero();
  EXPECT_TRUE(complete_accelerations(plan, work, state, a));
  return leg_quantities(plan, work, state, a);
}

// The header says that springs are left out. They were there, at the velocities of the evaluation before.
TEST(LegQuantities, SpringsAreLeftOut) {
  Mechanism sprung = khan::mechanism();
  const int platform = sprung.find_link("platform");
  ASSERT_GT(platform, 0);
  sprung.springs.push_back({"band", {0, 0}, {platform, 0}, 50.0, 20.0, 0.1});
  const std::vector<LegQuantities> plain = legs_in_motion(khan::mechanism(), 1.0);
  for (const double before : {0.0, 5.0}) {
    const std::vector<LegQuantities> with_spring = legs_in_motion(sprung, before);
    ASSERT_EQ(with_spring.size(), plain.size());
    for (std::size_t leg = 0; leg < plain.size(); ++leg) {
      EXPECT_LT((with_spring[leg].forces - plain[leg].forces).norm(), 1e-12 * (1.0 + plain[leg].forces.norm()));
      EXPECT_LT((with_spring[leg].cut_wrench - plain[leg].cut_wrench).norm(),
                1e-11 * (1.0 + plain[leg].cut_wrench.norm()));
    }
  }
}

}  // namespace
}  // namespace lithe
