#include "lithe/analysis/statics.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "lithe/errors.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/beam_mechanisms.hpp"

namespace lithe::testing {
namespace {

// Closed forms of the cantilever, linear theory (no stiffening): tip deflection and slope under a tip force, a tip
// moment and its own weight; exact at the nodes.
TEST(Statics, Cantilever) {
  const double L = 2.0, EI = 50.0, mu = 0.3, P = 0.2, M = 0.1, g = 9.81;
  Mechanism mechanism =
      beam_on_joint(JointType::fixed, {.length = L, .bending = EI, .mass_per_length = mu, .stiffening = false});
  mechanism.gravity = Vec3(0, -g, 0);
  const Plan plan(std::move(mechanism));
  Workspace work(plan);
  const FrameRef tip = plan.mechanism().find_frame("beam", "tip");
  const State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  Actions actions(plan);
  actions.loads[0].force = Vec3(0, P, 0);
  actions.loads[0].moment = Vec3(0, 0, M);
  const Equilibrium rest = find_equilibrium(plan, work, start, actions, {});
  const Pose pose = frame_pose(plan, work, rest.state.q, tip);
  EXPECT_NEAR(pose.position.y(), P * L * L * L / (3 * EI) + M * L * L / (2 * EI) - mu * g * L * L * L * L / (8 * EI),
              1e-9);
  const double slope = P * L * L / (2 * EI) + M * L / EI - mu * g * L * L * L / (6 * EI);
  EXPECT_NEAR(vector_from_rotation(pose.rotation).z(), slope, 1e-9);
  EXPECT_LT(rest.residual, 1e-9);

  const MatrixX C = frame_compliance(plan, work, rest, tip);
  EXPECT_NEAR(C(4, 4), L * L * L / (3 * EI), 1e-8);
  EXPECT_NEAR(C(2, 2), L / EI, 1e-8);
  EXPECT_NEAR(C(2, 4), L * L / (2 * EI), 1e-8);
  EXPECT_NEAR(C(3, 3), 0.0, 1e-8);
}

// A motor holds a beam against gravity: its torque is the moment of the weight, with the arm that the sagging leaves.
TEST(Statics, MotorTorque) {
  Mechanism mechanism = beam_on_joint(JointType::revolute, {.bending = 1e6, .mass_per_length = 2.0});
  mechanism.gravity = Vec3(0, -10.0, 0);
  const Plan plan(std::move(mechanism));
  Workspace work(plan);
  const State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  const Equilibrium rest = find_equilibrium(plan, work, start, Actions(plan), {0});
  EXPECT_NEAR(rest.tau[0], 2.0 * 10.0 * 0.5, 1e-6);
}

// Started where it hangs, a pendulum is at rest: no force acts that rounding could be compared with.
TEST(Statics, StartAtRest) {
  Mechanism mechanism;
  mechanism.gravity = Vec3(0, -9.81, 0);
  LinkData bob;
  bob.name = "bob";
  bob.mass = 2.0;
  bob.centre = Vec3(0.5, 0, 0);
  Joint hinge;
  hinge.name = "hinge";
  hinge.to = {mechanism.add_link(bob), 0};
  mechanism.add_joint(hinge);
  const Plan plan(std::move(mechanism));
  Workspace work(plan);
  State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  start.q[0] = -std::numbers::pi / 2;
  const Equilibrium rest = find_equilibrium(plan, work, start, Actions(plan), {});
  EXPECT_TRUE(rest.stable);
  EXPECT_EQ(rest.iterations, 0);
  EXPECT_NEAR(rest.linear.K(0, 0), 2.0 * 9.81 * 0.5, 1e-7);  // m g l
}

TEST(Statics, FreeMotionIsRefused) {
  Mechanism mechanism = beam_on_joint(JointType::revolute, {.modes = 2});
  mechanism.loads.clear();
  const Plan plan(std::move(mechanism));
  Workspace work(plan);
  State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  start.q[1] = 0.01;  // bent, so that there is something to settle
  try {
    find_equilibrium(plan, work, start, Actions(plan), {});
    FAIL();
  } catch (const PhysicsError& error) {
    EXPECT_STREQ(
        error.what(),
        "no equilibrium can be found: the mechanism moves without resistance with its motors locked (rank 2 of "
        "3); add springs, lock more joints or load it");
  }
}

/// A slider along x with a long arm, drawn to the line x = 0 by a string of nearly constant tension: its force turns
/// over within a millimetre, while steps are measured by a metre.
Mechanism slider_on_string(double tension) {
  Mechanism mechanism;
  LinkData slider;
  slider.name = "slider";
  slider.mass = 1.0;
  slider.centre = Vec3(0, 1, 0);
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.axis = Vec3::UnitX();
  rail.to = {mechanism.add_link(slider), 0};
  mechanism.add_joint(rail);
  const FrameRef anchor = mechanism.add_frame(0, "anchor", {Mat3::Identity(), Vec3(0, 1e-3, 0)});
  mechanism.springs.push_back({"string", anchor, {1, 0}, -1.0, 0.0, tension});
  mechanism.loads.push_back({"pull", {1, 0}, false});
  return mechanism;
}

// Full steps go back and forth for ever; the line search shortens them. T x/sqrt(x^2 + h^2) = P: closed form for a
// string of constant tension, whose stiffness of -1 N/m changes the force by 1e-6 of it.
TEST(Statics, LineSearchEndsOvershooting) {
  const Plan plan(slider_on_string(1000.0));
  Workspace work(plan);
  State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  start.q[0] = 0.01;
  Actions actions(plan);
  actions.loads[0].force = Vec3(600, 0, 0);
  const Equilibrium rest = find_equilibrium(plan, work, start, actions, {});
  EXPECT_NEAR(rest.state.q[0], 0.75e-3, 1e-8);  // 600/1000 = x/l with h = 1 mm: a triangle of 3, 4, 5
  EXPECT_TRUE(rest.stable);
}

// More than the string can hold: no equilibrium, and no step that comes nearer to one for ever.
TEST(Statics, NoEquilibriumIsSaid) {
  const Plan plan(slider_on_string(1000.0));
  Workspace work(plan);
  State start{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  start.q[0] = 0.01;
  Actions actions(plan);
  actions.loads[0].force = Vec3(4000, 0, 0);
  try {
    find_equilibrium(plan, work, start, actions, {});
    FAIL();
  } catch (const PhysicsError& error) {
    EXPECT_NE(std::string(error.what()).find("no equilibrium found near the initial pose"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lithe::testing
