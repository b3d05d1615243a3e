// From a model to an assembled state, and what is refused on the way.
#include "lithe/simulation/prepare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::double_pendulum;
using testing::four_bar;

template <class Error>
std::string message_of(const Model& model) {
  try {
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    return "no error, but: " + outcome.message;
  } catch (const Error& error) {
    return error.what();
  }
}

// Circle intersection: crank up at (0, 1), rocker about (2, 0) with radius 1.5, coupler 2 m long, elbow-up branch.
TEST(Prepare, AssemblesTheBranchOfTheGuess) {
  const Prepared prepared = prepare(four_bar());
  EXPECT_LT(prepared.assembly.error, 1e-12);
  EXPECT_GT(prepared.assembly.initial_error, 1e-3);
  EXPECT_EQ(prepared.state.q[position_for_law(prepared.plan, "motor", 0)], std::numbers::pi / 2) << "the guess is kept";
  Workspace work(prepared.plan);
  const Mechanism& m = prepared.plan.mechanism();
  const Vec3 tip = frame_pose(prepared.plan, work, prepared.state.q, m.find_frame("coupler", "tip")).position;
  EXPECT_NEAR((tip - Vec3(0, 1, 0)).norm(), 2.0, 1e-12);
  EXPECT_NEAR((tip - Vec3(2, 0, 0)).norm(), 1.5, 1e-12);
  EXPECT_GT(tip.y(), 0.5);
}

// The guess at the joint where the loop is cut is honoured too: it selects the elbow-down assembly.
TEST(Prepare, GuessesAtCutJointsSelectTheBranch) {
  Model model = four_bar();
  const Prepared up = prepare(model);
  AssemblyOptions options;
  options.held = {speed_index(up.plan, "motor", 0)};
  Workspace work(up.plan);
  ASSERT_TRUE(select_independent(up.plan, work, up.state.q));
  const std::vector<VectorX> branches = assembly_branches(up.plan, work, up.state.q, options);
  ASSERT_EQ(branches.size(), 2u);
  VectorX cut;
  cut_coordinates(up.plan, work, branches[1], cut);
  const std::string joint = up.plan.mechanism().joints[up.plan.cut_joints()[0]].name;
  model.initial = {{"motor", 0, std::numbers::pi / 2}, {joint, 0, cut[0]}};
  const Prepared down = prepare(model);
  EXPECT_LT(closure_error(down.plan, work, down.state.q), 1e-12);
  const Vec3 tip =
      frame_pose(down.plan, work, down.state.q, down.plan.mechanism().find_frame("coupler", "tip")).position;
  EXPECT_LT(tip.y(), 0.0);
  EXPECT_NEAR(down.state.q[position_for_law(down.plan, "motor", 0)], std::numbers::pi / 2, 1e-15);
}

TEST(Prepare, MotionLawsOverrideGuessesAndGiveSpeeds) {
  Model model = four_bar();
  Drive drive;
  drive.joint = "motor";
  drive.follow = PolynomialCoefficients{{1.2, 0.7}};
  model.drives = {drive};
  const Prepared prepared = prepare(model);
  EXPECT_EQ(prepared.state.q[position_for_law(prepared.plan, "motor", 0)], 1.2);
  EXPECT_EQ(prepared.state.v[speed_index(prepared.plan, "motor", 0)], 0.7);
  Workspace work(prepared.plan);
  MatrixX A;
  closure_jacobian(prepared.plan, work, prepared.state.q, A);
  EXPECT_LT((A * prepared.state.v).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Prepare, SpeedsMayBeGivenAtPassiveJoints) {
  Model model = four_bar();
  const Prepared probe = prepare(model);
  const std::string passive = probe.plan.places()[1].cut ? "c" : "a";
  model.initial_speeds = {{passive, 0, 0.5}};
  const Prepared prepared = prepare(model);
  EXPECT_NEAR(prepared.state.v[speed_index(prepared.plan, passive, 0)], 0.5, 1e-14);
}

TEST(Prepare, AMechanismThatCannotCloseIsRefused) {
  Model model = four_bar();
  model.mechanism.links[model.mechanism.find_link("coupler")].frames[1].pose.position.x() =
      9.0;
  const std::string message = message_of<PhysicsError>(model);
  EXPECT_NE(message.find("loop '"), std::string::npos) << message;
  EXPECT_NE(message.find("Give better guesses under 'initial'"), std::string::npos) << message;
}

TEST(Prepare, NamesAndCoordinatesAreChecked) {
  Model model = double_pendulum();
  model.initial = {{"knee", 0, 1.0}};
  EXPECT_EQ(message_of<MechanismError>(model), "there is no joint 'knee'");
  model.initial = {{"elbow", 1, 1.0}};
  EXPECT_EQ(message_of<MechanismError>(model), "joint 'elbow' has 1 coordinates, counted from 0; there is no 1");
  model.initial.clear();
  Drive drive;
  drive.joint = "elbow";
  drive.coordinate = 2;
  drive.torque = ConstantLaw{1.0};
  model.drives = {drive};
  EXPECT_EQ(message_of<MechanismError>(model), "joint 'elbow' (revolute) has 1 speeds, counted from 0; there is no 2");
  drive.coordinate = 0;
  drive.kp = 5.0;
  model.drives = {drive};
  EXPECT_EQ(message_of<MechanismError>(model), "the drive of joint 'elbow' needs a motion law ('follow')");
}

TEST(Prepare, RotationsInSpaceFollowNoScalarLaw) {
  Model model = double_pendulum();
  model.mechanism.joints[1].type = JointType::spherical;
  model.mechanism.joints[1].actuated.clear();
  model.initial.clear();
  Drive drive;
  drive.joint = "elbow";
  drive.follow = ConstantLaw{0.0};
  model.drives = {drive};
  EXPECT_EQ(message_of<MechanismError>(model),
            "coordinate 0 of joint 'elbow' (spherical) is part of a rotation in space and cannot follow a law of its "
            "own; only distances and single angles can");
}

TEST(Prepare, ContradictorySpeedsAreRefused) {
  Model model = four_bar();
  const Prepared probe = prepare(model);
  const std::string passive = probe.plan.places()[1].cut ? "c" : "a";
  model.initial_speeds = {{"motor", 0, 1.0}, {passive, 0, 25.0}};
  const std::string message = message_of<PhysicsError>(model);
  EXPECT_NE(message.find("contradicts the closures"), std::string::npos) << message;
}

TEST(FeedForward, UnderActuatedIsRefusedWithTheResidual) {
  Model model = double_pendulum();
  model.initial.clear();
  Drive shoulder, elbow;
  shoulder.joint = "shoulder";
  shoulder.follow = ConstantLaw{0.0};
  shoulder.feed_forward = true;
  elbow.joint = "elbow";
  elbow.follow = ConstantLaw{0.0};
  model.drives = {shoulder, elbow};
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(outcome.message.find("feed-forward: the driven joints cannot supply"), std::string::npos)
      << outcome.message;
  EXPECT_NE(outcome.message.find("4.9"), std::string::npos) << outcome.message;
}

TEST(FeedForward, WithoutACompleteMotionItIsRefused) {
  Model model = double_pendulum();
  Drive shoulder;
  shoulder.joint = "shoulder";
  shoulder.follow = ConstantLaw{0.0};
  shoulder.feed_forward = true;
  model.drives = {shoulder};
  EXPECT_NE(message_of<MechanismError>(model).find("give laws ('follow') for 'elbow' as well"), std::string::npos);
}

}  // namespace
}  // namespace lithe
