// Drives that sum their error up, and drives on paths behind elastic gears. Expected numbers are closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::complete_run;

const std::string carriage = R"(
lithe: 1
links: {mass: {rigid: {mass: 1, inertia: [0.5, 0.5, 0.5]}}}
joints: {rail: {prismatic: x, from: ground, to: mass, actuated: true}}
loads: {push: {at: mass, force: [5, 0, 0]}}
run: {until: 4, every: 0.1, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)";

// m = 1 and gains 6, 11, 6: the poles are -1, -2, -3, and a force F that is there from the start moves the mass by
// F (e^-t / 2 - e^-2t + e^-3t / 2), which comes back.
double answer(double t) { return 5.0 * (0.5 * std::exp(-t) - std::exp(-2.0 * t) + 0.5 * std::exp(-3.0 * t)); }

void expect_answer(const std::string& drives) {
  const MemoryRecord record = complete_run(load_model_text(carriage + drives, "rail.yaml"));
  for (int row = 0; row <= 40; ++row) EXPECT_NEAR(record.at(row, "q.rail"), answer(0.1 * row), 1e-9);
  EXPECT_LT(record.audit().energy_error, 1e-8 * record.audit().energy_scale);
}

TEST(DriveIntegrals, TakeALastingForceAway) {
  expect_answer("drives: {rail: {follow: 0, by: pid, kp: 11, ki: 6, kd: 6}}");
}

TEST(DriveIntegrals, InTheSpaceOfAPath) {
  expect_answer("drives: {mass: {path: {points: [[0, 0]]}, task-pd: {kp: 11, ki: 6, kd: 6}}}");
}

// A wheel that turns: kp, kd, ki about the axis, inertia 0.5, so half the gains give the same poles.
TEST(DriveIntegrals, OfTurns) {
  const MemoryRecord record = complete_run(load_model_text(R"(
lithe: 1
links: {wheel: {rigid: {mass: 1, inertia: [0.5, 0.5, 0.5]}}}
joints: {hub: {revolute: z, from: ground, to: wheel, actuated: true}}
loads: {twist: {at: wheel, moment: [0, 0, 0.25]}}
drives: {wheel: {path: {points: [[0, 0]], orientation: fixed}, task-pd: {turn-kp: 5.5, turn-ki: 3, turn-kd: 3}}}
run: {until: 4, every: 0.1, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)",
                                                           "wheel.yaml"));
  for (int row = 0; row <= 40; ++row) EXPECT_NEAR(record.at(row, "q.hub"), 0.1 * answer(0.1 * row), 1e-9);
}

TEST(DriveIntegrals, LinearModelsSayThatTheyLackThem) {
  const Model model =
      load_model_text(carriage + "drives: {rail: {follow: 0, by: pid, kp: 11, ki: 6, kd: 6}}", "rail.yaml");
  const OperatingPoint point(model, {});
  ASSERT_EQ(point.remarks().notes.size(), 1U);
  EXPECT_EQ(point.remarks().notes[0], "small motions are those without the integral part of the drive of 'rail.0'");
}

/// Two links in a plane whose tip goes along a line; motors of the joints as given.
std::string arm(const std::string& shoulder, const std::string& elbow, const std::string& path) {
  return R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  upper: {rigid: {mass: 1, centre: [0.25, 0], inertia: [0.01, 0.02, 0.02]}, frames: {elbow: [0.5, 0]}}
  fore: {rigid: {mass: 0.8, centre: [0.2, 0], inertia: [0.01, 0.02, 0.02]}, frames: {tip: [0.4, 0]}}
joints:
  shoulder: {revolute: z, from: ground, to: upper, )" +
         shoulder + "}\n  elbow: {revolute: z, from: upper/elbow, to: fore, " + elbow + R"(}
initial: {shoulder: 0.2, elbow: 1.2}
drives:
  fore/tip:
    path: {points: [[0.5, 0.45], [0.2, 0.6]], timing: {in: 1}}
    )" + path +
         R"(
run: {until: 1.2, every: 0.1, integrator: dopri, rtol: 1e-10, atol: 1e-12}
)";
}

const std::string gear = "motor: {rotor: 1e-4, ratio: 50, stiffness: 3000, damping: 2}";

/// Angles of the joints where the tip is: law of cosines.
std::pair<double, double> angles(double x, double y) {
  const double elbow = std::acos((x * x + y * y - 0.25 - 0.16) / (2 * 0.5 * 0.4));
  return {std::atan2(y, x) - std::atan2(0.4 * std::sin(elbow), 0.5 + 0.4 * std::cos(elbow)), elbow};
}

// The rotors go where rigid gears would have them: inverse kinematics of the two links.
TEST(PathsBehindElasticGears, RotorsFollowExactly) {
  const MemoryRecord record = complete_run(load_model_text(arm(gear, gear, "by: motion"), "arm.yaml"));
  for (int row = 0; row <= 12; ++row) {
    const double part = std::min(1.0, 0.1 * row), s = part * part * part * (10 + part * (-15 + 6 * part));
    const auto [shoulder, elbow] = angles(0.5 - 0.3 * s, 0.45 + 0.15 * s);
    EXPECT_NEAR(record.at(row, "q.shoulder.rotor"), shoulder, 1e-9) << row;
    EXPECT_NEAR(record.at(row, "q.elbow.rotor"), elbow, 1e-9) << row;
  }
  EXPECT_GT(std::abs(record.at(5, "gear.shoulder.twist")), 1e-4);
}

// Feed-forward of the rigid arm: nothing but the softness of the gears is left to the PD, whose motion stays within the twist.
TEST(PathsBehindElasticGears, MotorsFollowByFeedForwardAndFeedback) {
  const std::string by = "by: [inverse-dynamics, pd]\n    kp: 400\n    kd: 40";
  const MemoryRecord soft = complete_run(load_model_text(arm(gear, gear, by), "arm.yaml")),
                     rigid = complete_run(load_model_text(
                         arm("motor: {rotor: 1e-4, ratio: 50}", "motor: {rotor: 1e-4, ratio: 50}", by), "arm.yaml"));
  for (int row = 0; row <= 12; ++row) {
    EXPECT_NEAR(rigid.at(row, "q.elbow"), soft.at(row, "q.elbow.rotor"), 5e-3);
    EXPECT_LT(std::abs(soft.at(row, "gear.elbow.twist")), 5e-3);
  }
}

// What the motors give along the path is what rigid gears need.
TEST(PathsBehindElasticGears, InverseDynamicsTakesThemAsRigid) {
  MemoryRecord soft, rigid;
  const std::string stiff = "motor: {rotor: 1e-4, ratio: 50}";
  run_inverse(load_model_text(arm(gear, gear, "by: motion"), "arm.yaml"), soft);
  run_inverse(load_model_text(arm(stiff, stiff, "by: motion"), "arm.yaml"), rigid);
  ASSERT_EQ(soft.rows(), 13U);
  for (int row = 0; row <= 12; ++row)
    for (const char* joint : {"shoulder", "elbow"})
      EXPECT_NEAR(soft.at(row, std::string("tau.") + joint + ".rotor"), rigid.at(row, std::string("tau.") + joint),
                  1e-9);
}

// Condition number of the Jacobian of two links in a plane, from the invariants of J J^T: trace t and determinant d^2 give
// (t + sqrt(t^2 - 4 d^2)) / (2 d).
TEST(PathCondition, IsThatOfTheJacobianInEveryRow) {
  MemoryRecord record;
  const std::string stiff = "motor: {rotor: 1e-4, ratio: 50}";
  run_kinematics(load_model_text(arm(stiff, stiff, "by: motion"), "arm.yaml"), record);
  ASSERT_EQ(record.rows(), 13U);
  for (int row = 0; row <= 12; ++row) {
    const double first = record.at(row, "q.shoulder"), both = first + record.at(row, "q.elbow");
    const double a = -0.5 * std::sin(first) - 0.4 * std::sin(both), b = -0.4 * std::sin(both),
                 c = 0.5 * std::cos(first) + 0.4 * std::cos(both), d = 0.4 * std::cos(both);
    const double trace = a * a + b * b + c * c + d * d, area = std::abs(a * d - b * c);
    EXPECT_NEAR(record.at(row, "path.condition"), (trace + std::sqrt(trace * trace - 4 * area * area)) / (2 * area),
                1e-9);
  }
}

// A sampled controller acts on the rotor, as the motor does, and its encoder may sit on either side of the gear. The motor
// gives 2 N m for a moment: the rotor moves at 2 / (n^2 J), the arm not yet.
TEST(SampledControllersBehindElasticGears, ActOnTheRotor) {
  const Model model = load_model_text(R"(
lithe: 1
links: {arm: {rigid: {mass: 1, inertia: [0.5, 0.5, 0.5]}}}
joints: {hub: {revolute: z, from: ground, to: arm, motor: {rotor: 1e-3, ratio: 10, stiffness: 100}}}
sensors: {motor-side: {encoder: hub.rotor}, joint-side: {encoder: hub}}
controllers: {push: {sample: 0.01, drives: hub, inputs: [{of: motor-side, minus: 2}], gain: [[1]]}}
run: {until: 0.01, every: 1e-4, integrator: dopri, rtol: 1e-10, atol: 1e-14}
)",
                                      "hub.yaml");
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.at(0, "a.hub.rotor"), 2.0 / 0.1, 1e-12);
  EXPECT_NEAR(record.at(0, "a.hub"), 0.0, 1e-12);
  EXPECT_NEAR(record.at(1, "q.hub.rotor"), 0.5 * 20.0 * 1e-8, 1e-12);
  EXPECT_NEAR(record.at(100, "control.push.hub.rotor"), 2.0, 1e-6);
}

}  // namespace
}  // namespace lithe
