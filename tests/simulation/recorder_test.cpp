// What a run can record, against closed forms of simple motions.

#include "lithe/simulation/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

/// A rod of 2 m and 3 kg turns by 4 t^2 about a hinge at (0, 1, 0.5), with a spring from its tip to (3, 1, 0.5).
Model turning_rod(const std::string& record) {
  return load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  rod: {rod: {from: [0, 0, 0], to: [2, 0, 0], mass: 3}, frames: {tip: [2, 0, 0]}}
ground: {post: [0, 1, 0.5], hook: [3, 1, 0.5]}
joints:
  hinge: {revolute: z, from: ground/post, to: rod, actuated: true}
springs:
  band: {from: ground/hook, to: rod/tip, stiffness: 20, damping: 3, length: 1.5}
drives:
  hinge: {follow: 4*t^2, by: motion}
run: {until: 1.2, every: 0.1}
record: )" + record,
                         "rod.yaml");
}

MemoryRecord simulated(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

Vec3 vector_at(const MemoryRecord& record, std::size_t row, const std::string& name) {
  return {record.at(row, name + ".x"), record.at(row, name + ".y"), record.at(row, name + ".z")};
}

void expect_near(const Vec3& value, const Vec3& expected, double tolerance) {
  EXPECT_LT((value - expected).norm(), tolerance) << value.transpose() << " for " << expected.transpose();
}

// A prescribed motion is exact; what is left is rounding of numbers of size 100.
constexpr double rounding = 1e-11;

TEST(Recorder, VelocityAndAccelerationOfAFrame) {
  const MemoryRecord record =
      simulated(turning_rod("[velocities: [rod/tip], accelerations: [rod/tip], frames: [rod]]"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t"), angle = 4 * t * t, rate = 8 * t, c = std::cos(angle), s = std::sin(angle);
    expect_near(vector_at(record, row, "vel.rod.tip"), 2 * rate * Vec3(-s, c, 0), rounding);
    expect_near(vector_at(record, row, "omega.rod.tip"), Vec3(0, 0, rate), rounding);
    expect_near(vector_at(record, row, "acc.rod.tip"), 2 * 8 * Vec3(-s, c, 0) - 2 * rate * rate * Vec3(c, s, 0), 1e-10);
    expect_near(vector_at(record, row, "alpha.rod.tip"), Vec3(0, 0, 8), rounding);
    expect_near(vector_at(record, row, "pos.rod.origin"), Vec3(0, 1, 0.5), rounding);  // a link means its origin
  }
}

// Past half a turn the rotation vector jumps; the quaternion (cos, 0, 0, sin) of half the angle goes on.
TEST(Recorder, QuaternionIsContinuous) {
  const MemoryRecord record = simulated(turning_rod("[quaternions: [rod/tip]]"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double half = 2 * record.at(row, "t") * record.at(row, "t");
    EXPECT_NEAR(record.at(row, "quat.rod.tip.w"), std::cos(half), rounding);
    EXPECT_NEAR(record.at(row, "quat.rod.tip.z"), std::sin(half), rounding);
    EXPECT_NEAR(record.at(row, "quat.rod.tip.x"), 0.0, rounding);
  }
  EXPECT_LT(record.at(record.rows() - 1, "quat.rod.tip.w"), -0.9);
}

TEST(Recorder, LengthForceAndEnergyOfASpring) {
  const MemoryRecord record = simulated(turning_rod("[springs]"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t"), angle = 4 * t * t;
    // Law of cosines: sides 2 and 3.
    const double length = std::sqrt(13 - 12 * std::cos(angle)), speed = 6 * std::sin(angle) * 8 * t / length;
    EXPECT_NEAR(record.at(row, "spring.band.length"), length, rounding);
    EXPECT_NEAR(record.at(row, "spring.band.force"), 20 * (length - 1.5) + 3 * speed, 1e-10);
    EXPECT_NEAR(record.at(row, "spring.band.energy"), 10 * std::pow(length - 1.5, 2), 1e-10);
  }
}

TEST(Recorder, EnergiesApart) {
  const MemoryRecord record = simulated(turning_rod("[energy]"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t"), angle = 4 * t * t, length = std::sqrt(13 - 12 * std::cos(angle));
    EXPECT_NEAR(record.at(row, "energy.kinetic"), 0.5 * 4 * std::pow(8 * t, 2), 1e-10);  // m l^2 / 3 = 4
    EXPECT_NEAR(record.at(row, "energy.gravity"), 3 * 9.81 * (1 + std::sin(angle)), 1e-10);
    EXPECT_NEAR(record.at(row, "energy.springs"), 10 * std::pow(length - 1.5, 2), 1e-10);
    EXPECT_NEAR(record.at(row, "energy.potential"), record.at(row, "energy.gravity") + record.at(row, "energy.springs"),
                1e-12);
  }
}

// The plane of motion does not contain the ground origin: the angular momentum has components in the plane.
TEST(Recorder, MomentumAboutTheGroundOrigin) {
  const MemoryRecord record = simulated(turning_rod("[momentum]"));
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const double t = record.at(row, "t"), angle = 4 * t * t, rate = 8 * t;
    const Vec3 along(std::cos(angle), std::sin(angle), 0), across(-std::sin(angle), std::cos(angle), 0);
    const Vec3 p = 3 * rate * across, centre = Vec3(0, 1, 0.5) + along;
    expect_near(vector_at(record, row, "momentum"), p, rounding);
    expect_near(vector_at(record, row, "angular-momentum"), Vec3(0, 0, rate) + centre.cross(p), 1e-10);
  }
}

// An elastic rod that flies freely: no force from outside, so both momenta are those of the start.
TEST(Recorder, MomentumOfAFreeElasticLinkIsKept) {
  Model model = load_model_text(R"(
lithe: 1
links:
  rod: {beam: {length: 1, EI: 2, mass: 0.5, elements: 4}, modes: {count: 3, root: free}}
joints:
  float: {free: true, from: ground, to: rod}
initial: {rod.e1: 0.02}
speeds: {float: [0.3, -0.2, 0.5, 1, 2, 3]}
run: {until: 1, integrator: dopri, rtol: 1e-12, atol: 1e-14, every: 0.05}
record: [momentum, coordinates]
)",
                                "free.yaml");
  // What is left is the error of the integration, which falls with its tolerance.
  const MemoryRecord record = simulated(model);
  double moved = 0.0;
  for (std::size_t row = 1; row < record.rows(); ++row) {
    expect_near(vector_at(record, row, "momentum"), vector_at(record, 0, "momentum"), 1e-10);
    expect_near(vector_at(record, row, "angular-momentum"), vector_at(record, 0, "angular-momentum"), 1e-10);
    moved = std::max(moved, std::abs(record.at(row, "v.rod.e1")));
  }
  EXPECT_GT(moved, 0.01);
}

// On an open chain the twin has the same joint coordinates: only the shape of the link is left.
TEST(Recorder, DeflectionOfAnArmIsItsShape) {
  const Model model = load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {beam: {length: 1, EI: 20, mass: 0.5, elements: 4}, modes: {count: 2}, stiffening: off}
joints:
  motor: {revolute: z, from: ground, to: arm/root, actuated: true}
initial: {motor: 0.7}
drives: {motor: {follow: 0.7, by: motion}}
run: {until: 0.2, every: 0.02}
record: [coordinates, energy, deflections: [arm/tip]]
)",
                                      "arm.yaml");
  const LinkData& link = model.mechanism.links[1];
  const Frame& tip = link.frames[link.find_frame("tip")];
  const MemoryRecord record = simulated(model);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    const Eigen::Vector2d eta(record.at(row, "q.arm.e1"), record.at(row, "q.arm.e2"));
    const Vec3 shift = rotation_from_vector(Vec3(0, 0, 0.7)) * (tip.shape * eta);
    expect_near(vector_at(record, row, "deflection.arm.tip"), shift, 1e-13);
    EXPECT_NEAR(record.at(row, "deflection.arm.tip.norm"), shift.norm(), 1e-13);
    EXPECT_NEAR(record.at(row, "energy.strain"), 0.5 * eta.dot(link.elastic.stiffness * eta), 1e-12);
    EXPECT_NEAR(record.at(row, "energy.potential"), record.at(row, "energy.gravity") + record.at(row, "energy.strain"),
                1e-12);
  }
  EXPECT_GT(record.at(5, "deflection.arm.tip.norm"), 1e-3);
}

// In a loop it stands where two circles meet: crank of 0.2 m, coupler of 0.5 m, rocker of 0.4 m on a base of 0.5 m.
TEST(Recorder, DeflectionInALoopIsMeasuredFromTheRigidLoop) {
  for (const char* coordinates : {"", "coordinates: cartesian\nplatform: rocker\n"}) {
    SCOPED_TRACE(coordinates);
    Model model = load_model(source_folder() + "/examples/flexible-four-bar.yaml");
    if (*coordinates) model.plan = {Coordinates::cartesian, "rocker", true};
    const FrameRef tip = model.mechanism.find_frame("rocker", "tip");
    model.record.deflections = {tip};
    model.record.frames = {tip};
    model.run.until = 0.6;
    model.run.every = 0.02;
    if (*coordinates) model.run.formulation = Formulation::noc;
    MemoryRecord record;
    const RunOutcome outcome = run_simulation(model, record);
    ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
    double largest = 0.0;
    for (std::size_t row = 0; row < record.rows(); ++row) {
      const double motor = record.at(row, "q.motor");
      const Vec3 pin(0.2 * std::cos(motor), 0.2 * std::sin(motor), 0), pivot(0.5, 0, 0), base = pivot - pin;
      const double d = base.norm(), along = (d * d + 0.25 - 0.16) / (2 * d), across = std::sqrt(0.25 - along * along);
      const Vec3 rigid = pin + along * base / d + across * Vec3::UnitZ().cross(base / d);
      const Vec3 deflection = vector_at(record, row, "deflection.rocker.tip");
      expect_near(deflection, vector_at(record, row, "pos.rocker.tip") - rigid, 1e-11);
      largest = std::max(largest, deflection.norm());
    }
    EXPECT_GT(largest, 2e-5);  // there is something to compare
  }
}

// The tip of a clamped beam runs in a guide that is 1 mm too high: a rigid one cannot be there.
TEST(Recorder, NoRigidTwinIsSaidAndMarked) {
  Model model = load_model(source_folder() + "/tests/io/accepted/beam-in-guide.yaml");
  model.record.deflections = {model.mechanism.find_frame("beam", "tip")};
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_GT(record.rows(), 0u);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    EXPECT_TRUE(std::isnan(record.at(row, "deflection.beam.tip.x"))) << row;
    EXPECT_TRUE(std::isnan(record.at(row, "deflection.beam.tip.norm"))) << row;
  }
  ASSERT_EQ(outcome.audit.warnings.size(), 1u);
  EXPECT_EQ(outcome.audit.warnings[0],
            "deflections are missing (nan) in " + std::to_string(record.rows()) + " of " +
                std::to_string(record.rows()) +
                " rows, first at t = 0 s: with rigid links the mechanism cannot be assembled there at the same motor "
                "coordinates");
}

}  // namespace
}  // namespace lithe::testing
