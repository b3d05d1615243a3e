// Paths of frames: inverse kinematics through the closures, forces, and the ways in which motors follow.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/driven_motion.hpp"
#include "lithe/simulation/simulate.hpp"
#include "simulation/models.hpp"
#include "support/allocation_counter.hpp"
#include "support/oracle.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

constexpr double third = 2.0 * std::numbers::pi / 3.0;

/// The 6-UPS platform of tests/oracles/stewart_path.py, on its path, followed as `by` says.
Model stewart(const std::string& by, const std::string& more = {}) {
  return load_model_text(R"(
lithe: 1
gravity: [0, 0, -9.81]
parameters: {third: 2*pi/3}
links:
  platform: {rigid: {mass: 10, inertia: [0.3, 0.35, 0.6]}}
repeat:
  for: {i: 0 to 5}
  ground: {a$i: [0.6*cos(floor($i/2)*third - 0.25*(-1)^$i), 0.6*sin(floor($i/2)*third - 0.25*(-1)^$i), 0]}
  links:
    platform:
      frames:
        b$i: [0.3*cos(floor($i/2)*third - (pi/3 - 0.2)*(-1)^$i), 0.3*sin(floor($i/2)*third - (pi/3 - 0.2)*(-1)^$i), 0.02*$i]
    cylinder-$i: {rigid: {mass: 2, centre: [0, 0, 0.2], inertia: [0.02, 0.02, 0.001]}}
    piston-$i: {rigid: {mass: 1.5, centre: [0, 0, -0.2], inertia: [0.015, 0.015, 0.0008]}}
  joints:
    foot-$i: {universal: [x, y], from: ground/a$i, to: cylinder-$i}
    leg-$i: {prismatic: z, from: cylinder-$i, to: piston-$i, actuated: true}
    ball-$i: {spherical: true, from: piston-$i, to: platform/b$i}
  initial: {leg-$i: 0.9}
drives:
  platform:
    path:
      position: [0.05*sin(2*t), 0.04*t*cos(1.5*t), 0.8 + 0.06*sin(3*t)]
      orientation:
        rotate: [{axis: z, angle: 0.3*sin(1.1*t)}, {axis: y, angle: 0.15 + 0.1*cos(2*t)}, {axis: x, angle: 0.2*t}]
    )" + by + R"(
run: {until: 2, every: 0.1, integrator: dopri, rtol: 1e-10, atol: 1e-12}
record: [coordinates, frames: [platform/origin], energy]
)" + more,
                         "stewart.yaml");
}

/// Foot and head of leg i, as the oracle places them.
Vec3 foot(int i) {
  const double angle = (i / 2) * third + (i % 2 == 0 ? -0.25 : 0.25);
  return {0.6 * std::cos(angle), 0.6 * std::sin(angle), 0.0};
}
Vec3 head(int i) {
  const double angle = (i / 2) * third + (i % 2 == 0 ? -1 : 1) * (std::numbers::pi / 3 - 0.2);
  return {0.3 * std::cos(angle), 0.3 * std::sin(angle), 0.02 * i};
}

/// p + R b - a with R = Rz Ry Rx, written out.
Vec3 leg_vector(int i, double t) {
  const Vec3 p(0.05 * std::sin(2 * t), 0.04 * t * std::cos(1.5 * t), 0.8 + 0.06 * std::sin(3 * t));
  const double a = 0.3 * std::sin(1.1 * t), b = 0.15 + 0.1 * std::cos(2 * t), c = 0.2 * t;
  Mat3 Rz, Ry, Rx;
  Rz << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1;
  Ry << std::cos(b), 0, std::sin(b), 0, 1, 0, -std::sin(b), 0, std::cos(b);
  Rx << 1, 0, 0, 0, std::cos(c), -std::sin(c), 0, std::sin(c), std::cos(c);
  return p + Rz * Ry * Rx * head(i) - foot(i);
}

std::string leg(int i) { return "leg-" + std::to_string(i); }

double coordinate(const DrivenMotion& motion, const std::string& joint) {
  return motion.state().q[position_for_law(motion.plan(), joint, 0)];
}

class StewartPath : public ::testing::TestWithParam<const char*> {};

TEST_P(StewartPath, LegsHaveTheLengthsOfTheClosedForm) {
  const Model model = stewart("by: inverse-dynamics", GetParam());
  DrivenMotion motion(model);
  ASSERT_TRUE(motion.is_complete());
  for (int step = 0; step <= 40; ++step) {
    const double t = 0.05 * step;
    motion.go_to(t);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(coordinate(motion, leg(i)), leg_vector(i, t).norm(), 1e-12) << t << " " << i;
  }
  // Back to the start in one go: the branch is the same.
  motion.go_to(0.0);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(coordinate(motion, leg(i)), leg_vector(i, 0.0).norm(), 1e-12);
}

TEST_P(StewartPath, LegForcesAreThoseOfTheOracle) {
  const Model model = stewart("by: inverse-dynamics", GetParam());
  DrivenMotion motion(model);
  for (const testing::Json& state : testing::read_oracle("stewart_path").at("states")) {
    motion.go_to(state.at("t"));
    const VectorX tau = motion.motor_forces();
    const VectorX expected = testing::to_vector(state.at("forces"));
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(tau[speed_index(motion.plan(), leg(i), 0)], expected[i], 1e-9) << state.at("t") << " " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Coordinates, StewartPath,
                         ::testing::Values("coordinates: auto\n", "coordinates: joint\n",
                                           "coordinates: cartesian\nplatform: platform\n"),
                         [](const auto& info) {
                           const std::string text = info.param;
                           return text.substr(13, text.find('\n') - 13);
                         });

/// Farthest distance of the recorded platform from its path.
double worst_distance(const Model& model, const MemoryRecord& record, const std::string& frame = "platform.origin") {
  double worst = 0.0;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const Vec3 there(record.at(row, "pos." + frame + ".x"), record.at(row, "pos." + frame + ".y"),
                     record.at(row, "pos." + frame + ".z"));
    worst = std::max(worst, (there - model.paths.front().path.at(record.at(row, "t")).position).norm());
  }
  return worst;
}

TEST(Paths, ImposedOnTheMotorsTheyAreFollowedExactly) {
  Model model = stewart("by: motion");
  model.run.every = 0.1;
  const MemoryRecord record = testing::complete_run(model);
  EXPECT_LT(worst_distance(model, record), 1e-12);
  // The forces at t = 0.3 are those of the oracle.
  const VectorX expected = testing::to_vector(testing::read_oracle("stewart_path").at("states").at(1).at("forces"));
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(record.at(3, "tau." + leg(i)), expected[i], 1e-9);
}

TEST(Paths, FeedForwardWithPdTracks) {
  for (const char* coordinates : {"", "coordinates: cartesian\nplatform: platform\n"}) {
    Model model = stewart("by: [inverse-dynamics, pd]\n    kp: 1e5\n    kd: 2e3", coordinates);
    model.run.until = 0.5;
    const MemoryRecord record = testing::complete_run(model);
    EXPECT_LT(worst_distance(model, record), 1e-8);  // what a tolerance of 1e-10 leaves
    EXPECT_LT(record.audit().energy_error, 1e-8);
  }
}

TEST(Paths, PdOnTheLegsAloneTracksAsItsStiffnessAllows) {
  // Forces of at most 60 N (oracle) over 1e5 N/m are 0.6 mm of leg; the platform moves by a few times that.
  Model model = stewart("by: pd\n    kp: 1e5\n    kd: 2e3");
  model.run.every = 0.02;
  model.run.until = 0.6;
  const MemoryRecord record = testing::complete_run(model);
  const double far = worst_distance(model, record);
  EXPECT_LT(far, 3e-3);
  EXPECT_GT(far, 1e-5);
  for (std::size_t row = 10; row < record.rows(); ++row)
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(record.at(row, "q." + leg(i)), leg_vector(i, record.at(row, "t")).norm(), 2.0 * 60.0 / 1e5);
}

TEST(Paths, MotorsMayHaveDrivesOfTheirOwn) {
  // Two motors get more gain than the path says for the others; without a deviation that changes nothing.
  Model model = load_model(source_folder() + "/examples/stewart-platform.yaml");
  const auto of = [&](const std::string& joint) {
    return *std::find_if(model.drives.begin(), model.drives.end(), [&](const Drive& d) { return d.joint == joint; });
  };
  ASSERT_EQ(model.drives.size(), 6U);
  EXPECT_TRUE(of("leg-3").feed_forward);
  EXPECT_TRUE(of("leg-3").is_led());
  EXPECT_EQ(of("leg-3").kp, 2e4);
  EXPECT_EQ(of("leg-3").kd, 500.0);
}

// A slider of 2 kg on a line, held at its path by a spring of 800 N/m and a damper of 20 N s/m, pushed by 10 N:
// x = F/k (1 - e^(-d t) (cos(w t) + d/w sin(w t))), d = c/(2 m), w^2 = k/m - d^2.
TEST(Paths, TaskPdIsASpringAndADamper) {
  const Model model = load_model_text(R"(
lithe: 1
links: {slider: {rigid: {mass: 2, inertia: [1, 1, 1]}}}
joints: {rail: {prismatic: x, from: ground, to: slider, actuated: true}}
loads: {push: {at: slider, force: [10, 0, 0]}}
drives: {slider: {path: {points: [[0.3, 0, 0]]}, task-pd: {kp: 800, kd: 20}}}
run: {until: 1, every: 0.05, integrator: dopri, rtol: 1e-11, atol: 1e-13}
record: [coordinates]
)",
                                      "slider.yaml");
  const MemoryRecord record = testing::complete_run(model);
  const double d = 20.0 / 4.0, w = std::sqrt(400.0 - d * d);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t");
    const double x = 10.0 / 800.0 * (1.0 - std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)));
    EXPECT_NEAR(record.at(row, "q.rail"), 0.3 + x, 1e-9);
    EXPECT_NEAR(record.at(row, "tau.rail"), -800.0 * (record.at(row, "q.rail") - 0.3) - 20.0 * record.at(row, "v.rail"),
                1e-9);
  }
}

TEST(Paths, TaskPdOfAPlatformIsTheSameInAllCoordinates) {
  const std::string by = "by: inverse-dynamics\n    task-pd: {kp: 2e4, kd: 400, turn-kp: 900, turn-kd: 30}";
  const std::string push = "loads: {push: {at: platform/b2, force: [30*(t > 0.2), 0, -20*(t > 0.2)]}}\n";
  const MemoryRecord joint = testing::complete_run(stewart(by, push));
  const MemoryRecord cartesian =
      testing::complete_run(stewart(by, push + "coordinates: cartesian\nplatform: platform\n"));
  ASSERT_EQ(joint.rows(), cartesian.rows());
  for (std::size_t row = 0; row < joint.rows(); ++row)
    for (const char* column : {"pos.platform.origin.x", "pos.platform.origin.z", "rot.platform.origin.y", "q.leg-4"})
      EXPECT_NEAR(joint.at(row, column), cartesian.at(row, column), 1e-8) << column;
  EXPECT_LT(worst_distance(stewart(by), joint), 0.05);
}

TEST(Paths, PositionAloneIsEnoughForADelta) {
  const Model model = load_model(source_folder() + "/examples/delta-pick-and-place.yaml");
  DrivenMotion motion(model);
  ASSERT_TRUE(motion.is_complete());
  const FrameRef platform = motion.plan().mechanism().find_frame("platform", "origin");
  for (double t = 0.0; t <= 0.45; t += 0.03) {
    motion.go_to(t);
    const PathPoint place = model.paths.front().path.at(t);
    const Pose pose = frame_pose(motion.plan(), motion.work(), motion.state().q, platform);
    EXPECT_LT((pose.position - place.position).norm(), 1e-12);
    EXPECT_LT((pose.rotation - Mat3::Identity()).norm(), 1e-9);  // the parallelograms keep it level
    const Twist twist = frame_velocity(motion.plan(), motion.work(), motion.state(), platform);
    EXPECT_LT((twist.linear - place.velocity).norm(), 1e-11);
    const Twist rate =
        frame_acceleration(motion.plan(), motion.work(), motion.state(), motion.accelerations(), platform);
    EXPECT_LT((rate.linear - place.acceleration).norm(), 1e-9);
  }
}

/// Angle of a motor of the five-bar with its tool at `tool`, elbows outside: law of cosines. Base points (-+0.08, 0), arms
/// 0.2, forearms 0.28.
double five_bar_motor(const Vec3& tool, double side) {
  const double x = tool.x() - side * 0.08, y = tool.y(), r = std::hypot(x, y);
  return std::atan2(y, x) - side * std::acos((0.2 * 0.2 + r * r - 0.28 * 0.28) / (2 * 0.2 * r));
}

void expect_angle(double angle, double expected, double tolerance) {
  EXPECT_NEAR(std::remainder(angle - expected, 2 * std::numbers::pi), 0.0, tolerance);
}

TEST(Paths, MotorsOfAFiveBarFollowFromTheTool) {
  const Model model = load_model(source_folder() + "/examples/five-bar-circle.yaml");
  DrivenMotion motion(model);
  for (double t = 0.0; t < 1.7; t += 0.1) {
    SCOPED_TRACE(t);
    motion.go_to(t);
    const Vec3 tool = model.paths.front().path.at(t).position;
    expect_angle(coordinate(motion, "motor-left"), five_bar_motor(tool, -1.0), 1e-12);
    expect_angle(coordinate(motion, "motor-right"), five_bar_motor(tool, 1.0), 1e-12);
  }
}

/// The same robot with forearms that bend, its tool on a circle.
Model elastic_five_bar(const std::string& by) {
  return load_model_text(R"(
lithe: 1
include: starters/five-bar.yaml
remove: [drives]
drives: {forearm-right/tip: {path: {circle: {centre: [0, 0.3], start: [0.04, 0.3]}, timing: {in: 0.6}}, by: )" +
                             by + R"(}}
run: {until: 0.7, every: 0.05, step: 0.01}
record: [coordinates, frames: [forearm-right/tip]]
)",
                         source_folder() + "/examples/elastic.yaml");
}

double planar_distance(const Model& model, const MemoryRecord& record, const std::string& frame) {
  double worst = 0.0;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const Vec3 wanted = model.paths.front().path.at(record.at(row, "t")).position;
    worst = std::max(worst, std::hypot(record.at(row, "pos." + frame + ".x") - wanted.x(),
                                       record.at(row, "pos." + frame + ".y") - wanted.y()));
  }
  return worst;
}

TEST(Paths, MotorsOfAnElasticRobotMoveAsThoseOfItsRigidTwin) {
  const Model model = elastic_five_bar("motion");
  const MemoryRecord record = testing::complete_run(model);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const Vec3 tool = model.paths.front().path.at(record.at(row, "t")).position;
    expect_angle(record.at(row, "q.motor-left"), five_bar_motor(tool, -1.0), 1e-12);
    expect_angle(record.at(row, "q.motor-right"), five_bar_motor(tool, 1.0), 1e-12);
  }
  const double off = planar_distance(model, record, "forearm-right.tip");
  EXPECT_GT(off, 1e-8);  // it bends
  EXPECT_LT(off, 1e-3);
}

TEST(Paths, FlexibleInverseDynamicsKeepsTheElasticToolOnThePath) {
  const Model model = elastic_five_bar("motion");
  MemoryRecord record;
  const RunOutcome outcome = run_flexible_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_LT(planar_distance(model, record, "forearm-right.tip"), 1e-12);
  EXPECT_GT(record.rows(), 10U);
}

// The same motion of a planar platform as laws of its free joint and as a path with an angle: elastic arms, straight links.
TEST(Paths, AgreeWithLawsOfTheFreeJoint) {
  const std::string file = source_folder() + "/examples/fattah-two-arms.yaml";
  LoadOptions rigid;
  rigid.rigid = true;
  Model laws = load_model(file, {}, rigid);
  laws.run.every = laws.run.until / 10;
  Model path = laws;
  std::vector<Law> wanted;
  for (const Drive& drive : laws.drives)
    if (drive.wants_motion()) wanted.push_back(drive.follow);
  ASSERT_EQ(wanted.size(), 3U);
  std::erase_if(path.drives, [](const Drive& drive) { return drive.wants_motion(); });
  PathDrive drive;
  drive.link = "object";
  drive.path = Path(wanted[0], wanted[1], ConstantLaw{0.0});
  drive.path.turn(TurnsLaw{{{Vec3::UnitZ(), wanted[2]}}});
  path.paths.push_back(drive);
  for (const Coordinates coordinates : {Coordinates::cartesian, Coordinates::automatic}) {
    path.plan.coordinates = coordinates;
    MemoryRecord first, second;
    ASSERT_EQ(run_inverse(laws, first).ending, RunOutcome::Ending::complete);
    const RunOutcome outcome = run_inverse(path, second);
    ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
    for (std::size_t row = 0; row < first.rows(); ++row)
      for (const char* motor : {"tau.motor-1", "tau.motor-2", "tau.motor-3"})
        EXPECT_NEAR(first.at(row, motor), second.at(row, motor), 1e-8 * (1.0 + std::abs(first.at(row, motor))))
            << motor;
  }
}

std::string refusal(const std::function<void()>& run) {
  try {
    run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Paths, ThatLeaveTheWorkspaceAreRefusedWithTheirTime) {
  // A slider on a rail along x asked to leave it along y.
  Model model = load_model_text(R"(
lithe: 1
links: {slider: {rigid: {mass: 2, inertia: [1, 1, 1]}}}
joints: {rail: {prismatic: x, from: ground, to: slider, actuated: true}}
drives: {slider: {path: {position: [0.3*t, 0.1*t^2, 0]}}}
record: [coordinates]
)",
                                "slider.yaml");
  DrivenMotion motion(model);
  EXPECT_EQ(refusal([&] { motion.go_to(0.01); }),
            "'slider/origin' cannot follow its path at t = 0.01 s: it stays 1e-05 m away. The path leaves the "
            "workspace there, or asks for a motion that the mechanism does not have");
}

TEST(Paths, ThatLeaveFreedomsOpenAreRefused) {
  Model model = stewart("by: inverse-dynamics");
  const auto law = [](double value) { return Law(ConstantLaw{value}); };
  model.paths.front().path = Path(law(0.0), law(0.0), law(0.8));
  MemoryRecord record;
  EXPECT_EQ(
      refusal([&] { run_kinematics(model, record); }),
      "the path of 'platform/origin' does not determine the motion: the mechanism has 6 degrees of freedom and 3 of "
      "them follow; add an 'orientation' to the path, or laws ('follow') for the others");
}

// The trolley of a crane follows its path while the load swings as it likes: PD on its motor, whose wanted motion does not depend on
// the load. Feed-forward would need the motion of the load, and says so.
TEST(Paths, LeadMotorsWhileALoadSwings) {
  const auto crane = [](const std::string& by) {
    return load_model_text(R"(
lithe: 1
gravity: [0, -9.81]
links: {trolley: {rigid: {mass: 100}}, load: {rigid: {mass: 1e-3, centre: [0, -2]}}}
joints:
  rail: {prismatic: x, from: ground, to: trolley, actuated: true}
  rope: {revolute: z, from: trolley, to: load}
initial: {rope: 0.3}
drives: {trolley: {path: {points: [[0, 0], [1, 0]], timing: {in: 1}}, kp: 1e9, kd: 1e6, by: )" +
                               by + R"(}}
run: {until: 1, every: 0.1, integrator: dopri, rtol: 1e-9, atol: 1e-11}
)",
                           "crane.yaml");
  };
  const MemoryRecord record = testing::complete_run(crane("pd"));
  for (int row = 0; row <= 10; ++row) {
    const double s = 0.1 * row;
    EXPECT_NEAR(record.at(row, "q.rail"), s * s * s * (10 + s * (-15 + 6 * s)),
                1e-5);  // kd/kp times its acceleration, and less
  }
  MemoryRecord none;
  EXPECT_EQ(
      refusal([&] { run_simulation(crane("[pd, inverse-dynamics]"), none); }),
      "the path of 'trolley/origin' does not determine the motion: the mechanism has 2 degrees of freedom and 1 of "
      "them follow; add an 'orientation' to the path, or laws ('follow') for the others");
}

TEST(Paths, TellWhereTheyCannotBegin) {
  const Model model = load_model_text(R"(
lithe: 1
links: {arm: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {tip: [1, 0]}}}
joints: {hub: {revolute: z, from: ground, to: arm, actuated: true}}
drives: {arm/tip: {path: {points: [[3, 0]]}}}
)",
                                      "far.yaml");
  MemoryRecord record;
  EXPECT_EQ(refusal([&] { run_kinematics(model, record); }),
            "'arm/tip' cannot be where its path begins, at [3, 0, 0] m (t = 0 s): the mechanism does not reach that "
            "place. Let the path begin elsewhere, or give better guesses under 'initial'");
}

TEST(Paths, KinematicsTellsRangesStopsAndSingularPoses) {
  Model model = stewart("by: inverse-dynamics");
  Joint& joint = model.mechanism.joints[model.mechanism.find_joint("leg-2")];
  joint.stops.resize(1);
  joint.stops[0].upper = 0.95;
  joint.stops[0].stiffness = 1e5;
  MemoryRecord record;
  ASSERT_EQ(run_kinematics(model, record).ending, RunOutcome::Ending::complete);
  double longest = 0.0, when = 0.0;
  for (int row = 0; row <= 20; ++row)
    if (const double length = leg_vector(2, 0.1 * row).norm(); length > longest) longest = length, when = 0.1 * row;
  ASSERT_GT(longest, 0.95);
  ASSERT_EQ(record.audit().warnings.size(), 1U);
  EXPECT_EQ(record.audit().warnings[0], "joint 'leg-2' goes beyond its stop: " + fmt::format("{:.6g}", longest) +
                                            " m at t = " + fmt::format("{:.6g}", when) + " s, upper is 0.95 m");
  const auto told = [&](const std::string& words) {
    return std::any_of(record.audit().notes.begin(), record.audit().notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(told("motors along the path: 'leg-0' from "));
  EXPECT_TRUE(told("nearest to a singular pose at t = "));
}

TEST(Paths, AreFollowedWithoutAllocation) {
  if (!testing::allocations_are_counted()) GTEST_SKIP();
  const Model model = stewart("by: inverse-dynamics");
  DrivenMotion motion(model);
  for (int i = 0; i < 5; ++i) motion.go_to(0.001 * i);
  const long before = testing::allocation_count();
  for (int i = 5; i < 10; ++i) ASSERT_TRUE(motion.move_to(0.001 * i));
  EXPECT_EQ(testing::allocation_count(), before);
}

}  // namespace
}  // namespace lithe
