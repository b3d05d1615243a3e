// What a model gives of its start is kept, what gives way is named, and where nothing is given the natural assembly is
// found.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

Model example(const std::string& name) { return load_model(source_folder() + "/examples/" + name + ".yaml"); }

Pose pose_of(Prepared& prepared, const std::string& link, const std::string& frame = "origin") {
  return frame_pose(prepared.plan, prepared.work, prepared.state.q, prepared.plan.mechanism().find_frame(link, frame));
}

/// Coordinate of a joint, cut or not.
double value_of(Prepared& prepared, const std::string& joint, int coordinate = 0) {
  const Plan& plan = prepared.plan;
  const JointPlace& place = plan.places()[plan.mechanism().find_joint(joint)];
  if (!place.cut) return prepared.state.q[place.q + coordinate];
  VectorX cut;
  cut_coordinates(plan, prepared.work, prepared.state.q, cut);
  return cut[place.q + coordinate];
}

double speed_of(Prepared& prepared, const std::string& joint, int coordinate = 0) {
  const int speed = speed_index(prepared.plan, joint, coordinate);
  if (speed < prepared.plan.nv()) return prepared.state.v[speed];
  VectorX cut;
  cut_speeds(prepared.plan, prepared.work, prepared.state, cut);
  return cut[speed - prepared.plan.nv()];
}

std::string all_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

/// Motor forces at rest.
VectorX holding_forces(Prepared& prepared) {
  const Plan& plan = prepared.plan;
  State state = prepared.state;
  state.v.setZero();
  Actions actions(plan);
  actions.tau = VectorX::Zero(plan.nv() + plan.cut_nv());
  InverseResult result;
  inverse_dynamics(plan, prepared.work, state, VectorX::Zero(plan.nv()), actions, plan.actuated_speeds(), result);
  EXPECT_TRUE(result.status);
  VectorX forces(std::ssize(plan.actuated_speeds()));
  for (Eigen::Index i = 0; i < forces.size(); ++i)
    forces[i] = result.tau[plan.actuated_speeds()[i]];
  return forces;
}

// Closed form. All arms at the angle q below the horizontal: the platform hangs level at
// z = -arm sin q - sqrt(rod^2 - (base + arm cos q - top)^2), and by virtual work each motor holds a third of
// g d(sum of m z)/dq; the mass of a rod moves half with its elbow and half with the platform.
void expect_symmetric_delta(const Model& model) {
  const double arm = 0.25, rod = 0.5, base = 0.2, top = 0.06, g = 9.81, q = 0.3;
  const double out = base + arm * std::cos(q) - top, drop = std::sqrt(rod * rod - out * out);
  const double z_slope = -arm * std::cos(q) - out * arm * std::sin(q) / drop;
  const double elbow_slope = -arm * std::cos(q);
  const double torque =
      g / 3.0 * (0.7 * z_slope + 3 * 0.4 * 0.5 * elbow_slope + 6 * 0.06 * 0.5 * (elbow_slope + z_slope));
  Prepared prepared = prepare(model);
  const Pose platform = pose_of(prepared, "platform");
  EXPECT_NEAR(platform.position.x(), 0.0, 1e-12);
  EXPECT_NEAR(platform.position.y(), 0.0, 1e-12);
  EXPECT_NEAR(platform.position.z(), -arm * std::sin(q) - drop, 1e-12);
  EXPECT_LT(vector_from_rotation(platform.rotation).norm(), 1e-12);
  const VectorX forces = holding_forces(prepared);
  ASSERT_EQ(forces.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(forces[i], torque, 1e-9);
}

TEST(Start, DeltaHangsLevelWithEqualTorques) { expect_symmetric_delta(example("delta-robot")); }

// The same from the motors alone: unbent, near to neutral, legs alike.
TEST(Start, DeltaWithoutGuessesAssemblesTheSame) {
  Model model = example("delta-robot");
  model.initial.clear();
  expect_symmetric_delta(model);
  for (Drive& drive : model.drives) model.initial.push_back({drive.joint, 0, 0.3});
  model.drives.clear();
  expect_symmetric_delta(model);
}

const char* const slider_crank = R"(lithe: 1
links:
  crank: {rod: {from: [0, 0], to: [0.1, 0], mass: 1}, frames: {pin: [0.1, 0]}}
  rod: {rod: {from: [0, 0], to: [0.2, 0], mass: 1}, frames: {pin: [0.2, 0]}}
  slider: {rigid: {mass: 1}}
joints:
  shaft: {revolute: z, from: ground, to: crank, actuated: true}
  big-end: {revolute: z, from: crank/pin, to: rod}
  small-end: {revolute: z, from: rod/pin, to: slider}
  s: {prismatic: x, from: ground, to: slider}
)";

// Law of cosines in the triangle of crank 0.1, rod 0.2 and s.
TEST(Start, AValueOfAPassiveJointIsKept) {
  for (const double s : {0.15, 0.2, 0.25, 0.299}) {
    SCOPED_TRACE(s);
    Model model = load_model_text(slider_crank, "slider.yaml");
    model.initial = {{"s", 0, s}};
    Prepared prepared = prepare(model);
    EXPECT_NEAR(value_of(prepared, "s"), s, 1e-13);
    EXPECT_NEAR(std::cos(value_of(prepared, "shaft")), (s * s + 0.01 - 0.04) / (2 * 0.1 * s), 1e-11);
    EXPECT_EQ(all_of(prepared.remarks.warnings), "");
    EXPECT_EQ(all_of(prepared.remarks.notes).find("starts at"), std::string::npos) << all_of(prepared.remarks.notes);
  }
}

// Every joint of the loop may be given alone, whichever is cut.
TEST(Start, AnyJointOfALoopMayBeGiven) {
  const Model plain = four_bar();
  for (const auto& [joint, value] : {std::pair{"motor", 1.2}, {"a", -1.1}, {"b", 1.4}, {"c", 1.8}}) {
    for (const char* cut : {"motor", "a", "b", "c"}) {
      SCOPED_TRACE(::testing::Message() << joint << " given, " << cut << " cut");
      Model model = plain;
      model.mechanism.joints[model.mechanism.find_joint("motor")].actuated.clear();
      model.mechanism.joints[model.mechanism.find_joint(cut)].cut = true;
      model.initial = {{joint, 0, value}};
      model.initial_speeds = {{joint, 0, 0.7}};
      Prepared prepared = prepare(model);
      EXPECT_LT(closure_error(prepared.plan, prepared.work, prepared.state.q), 1e-12);
      EXPECT_NEAR(value_of(prepared, joint), value, 1e-12);
      EXPECT_NEAR(speed_of(prepared, joint), 0.7, 1e-12);
      MatrixX A;
      closure_jacobian(prepared.plan, prepared.work, prepared.state.q, A);
      EXPECT_LT((A * prepared.state.v).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

// Circles of 0.5 and 0.4 m about points 0.3 m apart: 3-4-5 triangle, the rocker stands at a right angle.
TEST(Start, WhatGivesWayIsNamed) {
  Model model = example("four-bar");
  Prepared prepared = prepare(model);
  EXPECT_EQ(all_of(prepared.remarks.warnings), "");
  EXPECT_EQ(all_of(prepared.remarks.notes),
            "2 guesses under 'initial' gave way to the loops; most of all, joint 'pivot' starts at 90 deg, not at the "
            "given 94 deg (the loop 'pivot, crank-pin, motor, rocker-pin' leaves it no choice)\n");
  model.initial = {{"crank-pin", 0, 53 * pi / 180}};
  EXPECT_EQ(all_of(prepare(model).remarks.notes),
            "joint 'crank-pin' starts at 53.1301 deg, not at the given 53 deg (the loop 'pivot, crank-pin, motor, "
            "rocker-pin' leaves it no choice)\n");
  MemoryRecord record;
  model.run.until = 0.01;
  EXPECT_EQ(run_simulation(model, record).audit.notes, prepare(model).remarks.notes)
      << "the audit of a run says it, too";
}

TEST(Start, AMotorOffItsLawIsNamed) {
  Model model = example("four-bar");
  for (InitialValue& value : model.initial)
    if (value.joint == "motor") value.value = 0.1;
  const std::string notes = all_of(prepare(model).remarks.notes);
  EXPECT_NE(notes.find("joint 'motor' starts at 0 deg, not at the given 5.72958 deg (its motion law begins there)"),
            std::string::npos)
      << notes;
}

// The pin stands at 53.13 degrees, up or down: a guess that is far from both is a warning of its own.
TEST(Start, AGuessFarFromEveryAssemblyIsAWarning) {
  Model model = example("four-bar");
  model.initial = {{"crank-pin", 0, 170 * pi / 180}};
  const std::string warnings = all_of(prepare(model).remarks.warnings);
  EXPECT_NE(warnings.find("53.1301 deg, not at the given 170 deg"), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("lithe check --branches"), std::string::npos) << warnings;
}

// Rocker up or down are mirror images: nothing prefers one of them.
TEST(Start, EquallyGoodAssembliesAreSaid) {
  Model model = example("four-bar");
  model.initial.clear();
  EXPECT_EQ(
      all_of(prepare(model).remarks.notes),
      "another assembly fits what is given about as well as the one taken; lithe check --branches lists them, and a "
      "value of a passive joint under 'initial' chooses\n");
}

Mat3 turned(double z, double y, double x) {
  return (Eigen::AngleAxisd(z, Vec3::UnitZ()) * Eigen::AngleAxisd(y, Vec3::UnitY()) *
          Eigen::AngleAxisd(x, Vec3::UnitX()))
      .toRotationMatrix();
}

/// The 6-UPS of the gallery without drives and guesses: only the platform is given.
Model platform_alone() {
  Model model = example("khan-6ups");
  model.drives.clear();
  model.initial.clear();
  model.initial_poses = {{"platform", Vec3(0.05, -0.03, 0.8), Quat(turned(0.1, 0.15, -0.08))}};
  return model;
}

// The lengths are those of the model file, which follow from the pose by geometry (to 15 digits).
TEST(Start, PoseOfThePlatformGivesTheLegs) {
  const double lengths[] = {0.851408075016786, 0.853819103924586, 0.905790978106806,
                            1.00969775418512,  1.00048386796104,  1.01342225468093};
  Prepared prepared = prepare(platform_alone());
  for (int leg = 0; leg < 6; ++leg)
    EXPECT_NEAR(std::abs(value_of(prepared, "length-" + std::to_string(leg))), lengths[leg], 1e-12) << leg;
  EXPECT_EQ(all_of(prepared.remarks.warnings), "");
}

// Rate of a length: unit vector along the leg times velocity of its point on the platform.
TEST(Start, TwistOfThePlatformGivesTheRatesOfTheLegs) {
  Model model = platform_alone();
  const Vec3 velocity(0.1, -0.2, 0.05), angular(0.3, 0.2, -0.4);
  model.initial_twists = {{"platform", velocity, angular}};
  Prepared prepared = prepare(model);
  for (int leg = 0; leg < 6; ++leg) {
    const std::string number = std::to_string(leg);
    const Vec3 from = pose_of(prepared, "ground", "b" + number).position;
    const Vec3 to = pose_of(prepared, "platform", "p" + number).position;
    const Vec3 along = (to - from).normalized();
    const Vec3 arm = to - pose_of(prepared, "platform").position;
    const double sign = value_of(prepared, "length-" + number) > 0 ? 1.0 : -1.0;
    EXPECT_NEAR(speed_of(prepared, "length-" + number), sign * along.dot(velocity + angular.cross(arm)), 1e-11) << leg;
  }
}

// Three motors cannot turn the platform of a Delta: the twist contradicts the loops.
TEST(Start, ATwistThatTheLoopsForbidIsRefused) {
  Model model = example("delta-robot");
  model.drives.clear();
  model.initial_twists = {{"platform", std::nullopt, Vec3(0, 0, 1)}};
  try {
    prepare(model);
    FAIL();
  } catch (const PhysicsError& error) {
    EXPECT_STREQ(
        error.what(),
        "the initial speed 1 of 'platform.angular.z' contradicts the closures and the other given speeds, which "
        "make it 0");
  }
}

// Inverse kinematics of an open chain: 0.5 m and 0.5 m reach 0.6 m at an elbow angle of acos(-0.28).
TEST(Start, PoseOfALinkOfAnOpenChain) {
  Model model = double_pendulum();
  model.initial.clear();
  const double elbow = std::acos(-0.28), x = 1.0 + std::cos(elbow);
  const double shoulder = 0.3;
  const Vec3 tip(std::cos(shoulder) * x - std::sin(shoulder) * std::sin(elbow),
                 std::sin(shoulder) * x + std::cos(shoulder) * std::sin(elbow), 0);
  // The origin of the second rod is the elbow; its rotation the sum of both angles.
  model.initial_poses = {{"second", Vec3(std::cos(shoulder), std::sin(shoulder), 0),
                          Quat(Eigen::AngleAxisd(shoulder + elbow, Vec3::UnitZ()))}};
  Prepared prepared = prepare(model);
  EXPECT_NEAR(value_of(prepared, "shoulder"), shoulder, 1e-12);
  EXPECT_NEAR(value_of(prepared, "elbow"), elbow, 1e-12);
  EXPECT_LT((pose_of(prepared, "second", "tip").position - tip).norm(), 1e-12);
}

TEST(Start, PlatformInCartesianCoordinates) {
  for (const bool by_link : {false, true}) {
    Model model = example("fattah-3rrr-fast");
    model.initial.clear();
    model.drives.clear();
    if (by_link) {
      model.initial_poses = {{"platform", Vec3(0.25, 0.4, 0), Quat(Eigen::AngleAxisd(0.1, Vec3::UnitZ()))}};
    } else {
      model.initial = {{"platform.free", 0, 0.25}, {"platform.free", 1, 0.4}, {"platform.free", 2, 0.1}};
    }
    Prepared prepared = prepare(model);
    const Pose platform = pose_of(prepared, "platform");
    EXPECT_NEAR(platform.position.x(), 0.25, 1e-12);
    EXPECT_NEAR(platform.position.y(), 0.4, 1e-12);
    EXPECT_NEAR(std::atan2(platform.rotation(1, 0), platform.rotation(0, 0)), 0.1, 1e-12);
    EXPECT_LT(closure_error(prepared.plan, prepared.work, prepared.state.q), 1e-12);
    EXPECT_EQ(all_of(prepared.remarks.warnings), "");
  }
}

TEST(Start, RotationOfABallIsKeptWhereverItIsCut) {
  // A platform on one ball and two rods: turned about the ball's own axes.
  Model model = example("fattah-3rrs");
  Prepared before = prepare(model);
  const Vec3 turn = vector_from_rotation(pose_of(before, "platform").rotation);
  model.initial_poses = {{"platform", std::nullopt, Quat(rotation_from_vector(turn))}};
  Prepared after = prepare(model);
  EXPECT_LT((pose_of(after, "platform").position - pose_of(before, "platform").position).norm(), 1e-9);
  EXPECT_EQ(after.remarks.warnings.size(), 0u) << all_of(after.remarks.warnings);
}

TEST(Start, NamesOfLinksAreChecked) {
  Model model = four_bar();
  model.initial_poses = {{"copler", Vec3(0, 0, 0), std::nullopt}};
  try {
    prepare(model);
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(), "there is no link 'copler'; did you mean 'coupler'?");
  }
}

}  // namespace
}  // namespace lithe::testing
