// Rotors of motors that are bodies of their own: the moment at what carries them, precession, and that nothing changes where
// the carrier stands still. Expected numbers are closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::complete_run;

constexpr double rotor = 2e-3;  ///< kg m^2
constexpr double ratio = -40.0;
constexpr double joint_speed = 5.0;  ///< rad/s; the rotor turns at ratio times that
constexpr double turn = 0.7;         ///< of what carries it, rad/s

std::string model_of(const std::string& motor, const std::string& rest) {
  return R"(
lithe: 1
parameters: {n: -40, w: 5, turn: 0.7}
links:
  table: {rigid: {mass: 0}}
  arm: {rigid: {mass: 0}}
  tool: {rigid: {mass: 0}}
joints:
  azimuth: {revolute: z, from: ground, to: table, actuated: true}
  tilt: {revolute: y, from: table, to: arm, actuated: true}
  wrist: {revolute: x, from: arm, to: tool, motor: {)" +
         motor + "}}\n" + rest;
}

const std::string steady = R"(
drives: {azimuth: {follow: turn*t}, tilt: {follow: 0}, wrist: {follow: w*t}}
run: {until: 1, every: 0.25}
record: [coordinates, energy]
)";

MemoryRecord driven(const std::string& text) {
  const Model model = load_model_text(text, "rotor.yaml");
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

// A rotor with the momentum h = I n w along the x-axis of an arm that turns about z: the motor of the tilt supplies
// turn z x h x = turn h y, the others nothing.
TEST(GyroscopicRotor, PullsAtWhatCarriesIt) {
  const MemoryRecord record = driven(model_of("rotor: 2e-3, ratio: n, gyroscopic: true", steady));
  const double moment = turn * rotor * ratio * joint_speed;
  for (int row = 0; row < 5; ++row) {
    EXPECT_NEAR(record.at(row, "tau.tilt"), moment, 1e-13);
    EXPECT_NEAR(record.at(row, "tau.azimuth"), 0.0, 1e-13);
    EXPECT_NEAR(record.at(row, "tau.wrist"), 0.0, 1e-13);
  }
}

// Seen through its gear alone it has no momentum.
TEST(GyroscopicRotor, IsAnOption) {
  const MemoryRecord record = driven(model_of("rotor: 2e-3, ratio: n", steady));
  EXPECT_NEAR(record.at(2, "tau.tilt"), 0.0, 1e-13);
}

// About an axis across that of the joint, on the table: h = I n w z turns with nothing, but the table feels the motor that
// speeds it up, I n w' about z; and behind an elastic gear just so.
TEST(GyroscopicRotor, SpinsAboutItsOwnAxis) {
  for (const std::string gear : {"", ", stiffness: 1e4"}) {
    const MemoryRecord record =
        driven(model_of("rotor: 2e-3, ratio: n, gyroscopic: {carrier: table, axis: z}" + gear, R"(
drives: {azimuth: {follow: turn*t}, tilt: {follow: 0}, wrist: {follow: 0.5*w*t^2}}
run: {until: 1, every: 0.25}
)"));
    EXPECT_NEAR(record.at(3, "tau.azimuth"), rotor * ratio * joint_speed, 1e-12) << gear;
    EXPECT_NEAR(record.at(3, "tau.tilt"), 0.0, 1e-12) << gear;
    EXPECT_NEAR(record.at(3, gear.empty() ? "tau.wrist" : "tau.wrist.rotor"), rotor * ratio * ratio * joint_speed,
                1e-11)
        << gear;
  }
}

/// A gyroscope pendulum: an arm on two gimbals with a weight, its motor runs at a constant speed. The speed of precession at
/// which it neither rises nor falls when it stands level: m g l / h, since centrifugal forces have no arm there.
std::string pendulum(const std::string& motor, double speed) {
  return R"(
lithe: 1
gravity: [0, 0, -9.81]
links:
  table: {rigid: {mass: 0}}
  arm: {rigid: {mass: 0.5, centre: [0.2, 0, 0], inertia: [1e-4, 1e-3, 1e-3]}}
  tool: {rigid: {mass: 0}}
joints:
  azimuth: {revolute: z, from: ground, to: table}
  tilt: {revolute: y, from: table, to: arm}
  wrist: {revolute: x, from: arm, to: tool, motor: {)" +
         motor + R"(}}
drives: {wrist: {follow: 5*t, by: motion}}
initial: {azimuth: 0, tilt: 0}
speeds: {azimuth: )" +
         fmt::format("{}", speed) + R"(}
run: {until: 2, every: 0.1, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)";
}

TEST(GyroscopicRotor, PendulumPrecesses) {
  const double h = 0.02 * 40.0 * 5.0, speed = 0.5 * 9.81 * 0.2 / h;
  const MemoryRecord record =
      complete_run(load_model_text(pendulum("rotor: 0.02, ratio: 40, gyroscopic: true", speed), "top.yaml"));
  for (int row = 0; row <= 20; ++row) {
    EXPECT_NEAR(record.at(row, "q.tilt"), 0.0, 1e-8);
    EXPECT_NEAR(record.at(row, "q.azimuth"), speed * 0.1 * row, 1e-8);
  }
  EXPECT_LT(record.audit().energy_error, 1e-8 * 0.5 * h * 200.0);  // of the energy of the rotor
}

// Let go at rest it nods about the precession, and by the energy alone: (I_y + m l^2) tilt'^2 / 2 + ... = m g l sin(tilt). The
// momentum about z is that of the start, none: (I_z + m l^2) cos(tilt)^2 azimuth' = h sin(tilt), tilt counted downwards. Both
// closed forms together give the lowest point; here they hold at every row.
TEST(GyroscopicRotor, PendulumNods) {
  const Model model = load_model_text(pendulum("rotor: 0.02, ratio: 40, gyroscopic: true", 0.0), "top.yaml");
  const MemoryRecord record = complete_run(model);
  const double h = 4.0, across = 1e-3 + 0.5 * 0.04, along = 1e-4, mgl = 0.5 * 9.81 * 0.2;
  double lowest = 0.0;
  for (int row = 0; row <= 20; ++row) {
    const double tilt = record.at(row, "q.tilt"), tilt_rate = record.at(row, "v.tilt"),
                 azimuth_rate = record.at(row, "v.azimuth"), c = std::cos(tilt), s = std::sin(tilt);
    lowest = std::max(lowest, tilt);
    // The rotor also turns with the arm about its own axis, -sin(tilt) azimuth': part of its spin.
    const double spin = h + 0.02 * -s * azimuth_rate;
    EXPECT_NEAR((across * c * c + along * s * s) * azimuth_rate - s * spin, 0.0, 1e-9);
    EXPECT_NEAR(0.5 * across * tilt_rate * tilt_rate +
                    0.5 * (across * c * c + (along + 0.02) * s * s) * azimuth_rate * azimuth_rate,
                mgl * s, 1e-9);
  }
  EXPECT_GT(lowest, 1e-3);
}

// On the ground its momentum turns with nothing: a body and an armature are the same.
TEST(GyroscopicRotor, OnTheGroundIsAnArmature) {
  const auto run = [](const std::string& motor) {
    return complete_run(load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {rigid: {mass: 1, centre: [0.3, 0], inertia: [0.01, 0.01, 0.02]}, frames: {tip: [0.6, 0]}}
  bob: {rigid: {mass: 0.4, centre: [0, -0.2]}}
joints:
  shoulder: {revolute: z, from: ground, to: arm, motor: {rotor: 1e-3, ratio: 12)" +
                                            motor + R"(}}
  pin: {revolute: z, from: arm/tip, to: bob}
initial: {shoulder: 0.4}
drives: {shoulder: {torque: 3*sin(4*t), follow: 0.2*t, by: pd, kp: 20, kd: 2}}
run: {until: 1, every: 0.1, integrator: dopri, rtol: 1e-11, atol: 1e-12}
)",
                                        "arm.yaml"));
  };
  for (const std::string gear : {"", ", stiffness: 500, damping: 0.3, backlash: 0.001, efficiency: 0.8"}) {
    const MemoryRecord body = run(", gyroscopic: true" + gear), armature = run(gear);
    for (int row = 0; row <= 10; ++row)
      for (const std::string column : {"q.shoulder", "v.shoulder", "q.pin", "v.pin", "energy.kinetic"})
        EXPECT_NEAR(body.at(row, column), armature.at(row, column), 1e-7) << column << row << gear;
    EXPECT_LT(body.audit().energy_error, 1e-8 * body.audit().energy_scale) << gear;
    EXPECT_NEAR(body.at(10, "q.shoulder.spin"), 12.0 * body.at(10, gear.empty() ? "q.shoulder" : "q.shoulder.rotor"),
                1e-9);
  }
}

}  // namespace
}  // namespace lithe
