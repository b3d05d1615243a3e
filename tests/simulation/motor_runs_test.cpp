// Runs with motors, gears and their limits. Expected numbers are closed forms, written out beside each test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/mechanism/elastic_gear.hpp"
#include "lithe/simulation/expand_motors.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::complete_run;

constexpr double inertia = 0.5;  ///< of the wheel, kg m^2

/// A wheel on a joint with this motor; no gravity.
Model wheel(const Motor& motor) {
  Model model;
  LinkData disc;
  disc.name = "wheel";
  disc.mass = 1.0;
  disc.inertia = Mat3::Identity() * inertia;
  const int link = model.mechanism.add_link(disc);
  testing::add_revolute(model.mechanism, "hub", {0, 0}, {link, 0}, true);
  model.mechanism.joints[0].motor = motor;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-11;
  model.run.atol = 1e-12;
  model.run.every = 0.01;
  model.record.motors = true;
  return model;
}

Drive torque_drive(double torque) {
  Drive drive;
  drive.joint = "hub";
  drive.torque = Law(ConstantLaw{torque});
  return drive;
}

Drive voltage_drive(double voltage) {
  Drive drive;
  drive.joint = "hub";
  drive.voltage = Law(ConstantLaw{voltage});
  return drive;
}

void expect_balanced_energy(const MemoryRecord& record) {
  EXPECT_LT(record.audit().energy_error, 1e-8 * record.audit().energy_scale);
  EXPECT_GT(record.audit().energy_scale, 0.0);
}

Motor geared(double ratio, double rotor = 0.0) {
  Motor motor;
  motor.ratio = ratio;
  motor.rotor = rotor;
  return motor;
}

Motor wound(double inductance) {
  Motor motor = geared(20.0);
  motor.windings = {2.0, 0.05, inductance};
  return motor;
}

// n tau / (J + n^2 J_r), either sign of the ratio.
TEST(MotorRuns, GearedAcceleration) {
  for (const double ratio : {30.0, -30.0}) {
    Model model = wheel(geared(ratio, 1e-3));
    model.drives = {torque_drive(ratio * 0.2)};
    expand_motors(model);
    const MemoryRecord record = complete_run(model);
    const double acceleration = ratio * 0.2 / (inertia + ratio * ratio * 1e-3);
    EXPECT_NEAR(record.at(50, "v.hub"), 0.5 * acceleration, 1e-9);
    EXPECT_NEAR(record.at(50, "motor.hub.torque"), 0.2, 1e-12);
    EXPECT_NEAR(record.at(50, "motor.hub.speed"), ratio * 0.5 * acceleration, 1e-7);
    expect_balanced_energy(record);
  }
}

TEST(MotorRuns, ExpandingTwiceChangesNothing) {
  Model model = wheel(geared(30.0, 1e-3));
  expand_motors(model);
  expand_motors(model);
  EXPECT_NEAR(model.mechanism.joints[0].armature[0], 0.9, 1e-12);
}

// The joint gets efficiency times the force while it is driven forwards, 1/efficiency of it while it is braked. The
// speed stays beyond 1/100 rad/s, where the share is full: constant acceleration.
TEST(MotorRuns, EfficiencyInBothDirections) {
  Motor motor = geared(100.0);
  motor.efficiency = 0.8;
  for (const double force : {3.0, -3.0}) {
    Model model = wheel(motor);
    model.drives = {torque_drive(force)};
    model.initial_speeds = {{"hub", 0, 10.0}};
    expand_motors(model);
    const MemoryRecord record = complete_run(model);
    const double acceleration = (force > 0 ? 0.8 : 1 / 0.8) * force / inertia;
    EXPECT_NEAR(record.at(100, "v.hub"), 10.0 + acceleration, 1e-9);
    EXPECT_NEAR(record.at(100, "tau.hub"), acceleration * inertia, 1e-12);
    // Lost: the difference of shaft and joint energy.
    const double turned = 10.0 + 0.5 * acceleration;
    EXPECT_NEAR(record.audit().motors.at("hub").loss, (force - acceleration * inertia) * turned, 1e-8);
    EXPECT_NEAR(record.audit().motors.at("hub").energy, force * turned, 1e-8);
    expect_balanced_energy(record);
  }
}

// Clipped to 0.5 N m on the motor side: acceleration n tau / J. Said once, with the time.
TEST(MotorRuns, LargestTorqueClipsAndIsSaid) {
  Motor motor = geared(10.0);
  motor.torque = 0.5;
  Model model = wheel(motor);
  Drive drive = torque_drive(0.0);
  drive.torque = Law(TableLaw(make_table({0.0, 0.25, 1.0}, {2.0, 8.0, 8.0}, TableLaw::Interpolation::hold)));
  model.drives = {drive};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.at(100, "v.hub"), (2.0 * 0.25 + 5.0 * 0.75) / inertia, 1e-9);
  ASSERT_EQ(record.audit().warnings.size(), 1u);
  EXPECT_EQ(record.audit().warnings[0], "motor 'hub' was at its limit from t = 0.26 s for 0.74 s");
  EXPECT_NEAR(record.audit().motors.at("hub").peak_torque, 0.5, 1e-12);
}

TEST(MotorRuns, ImposedMotionBeyondTheMotorIsSaid) {
  Motor motor = geared(10.0);
  motor.torque = 0.5;
  Model model = wheel(motor);
  Drive drive;
  drive.joint = "hub";
  drive.follow = Law(PolynomialCoefficients{{0.0, 0.0, 10.0}});  // acceleration 20: 20 J / n = 1 N m
  drive.prescribed = true;
  model.drives = {drive};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  ASSERT_EQ(record.audit().warnings.size(), 1u);
  EXPECT_EQ(record.audit().warnings[0],
            "the imposed motion needs up to 1 N m of motor 'hub', first more than it has at t = 0 s");
}

// Sizing of a sinusoidal torque: peak T, rms T/sqrt 2 over whole periods. A straight line between rows 1/200 of a
// period apart misses the square by a part of (2 pi / 200)^2 / 6 at most.
TEST(MotorRuns, SizingOfASine) {
  Model model = wheel(geared(4.0));
  Drive drive;
  drive.joint = "hub";
  drive.torque = Law(ExpressionLaw{Expression::parse("8*sin(pi*t)", {{"pi", std::numbers::pi}}, true)});
  model.drives = {drive};
  model.run.until = 2.0;
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  const MotorDuty& duty = record.audit().motors.at("hub");
  EXPECT_NEAR(duty.peak_torque, 2.0, 1e-12);
  EXPECT_NEAR(duty.rms_torque, 2.0 / std::sqrt(2.0), 2e-4);
  // v = 8/(pi J) (1 - cos pi t): fastest in the middle, at rest at the end.
  EXPECT_NEAR(duty.peak_speed, 4.0 * 2.0 * 8.0 / (std::numbers::pi * inertia), 1e-6);
  EXPECT_NEAR(duty.energy, 0.0, 1e-6);
}

TEST(MotorRuns, ActuatedJointsWithoutMotorDataAreSizedToo) {
  Model model = wheel({});
  model.mechanism.joints[0].motor.reset();
  model.drives = {torque_drive(3.0)};
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.audit().motors.at("hub").peak_torque, 3.0, 1e-12);
  EXPECT_NEAR(record.audit().motors.at("hub").peak_speed, 6.0, 1e-9);
}

// J w' = n k (V - k n w) / R: w = V/(n k) (1 - exp(-t/T)), T = J R / (n k)^2.
TEST(MotorRuns, VoltageRunsUpWithoutInductance) {
  Model model = wheel(wound(0.0));
  model.drives = {voltage_drive(24.0)};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  for (const std::size_t row : {10u, 50u, 100u}) {
    const double t = record.at(row, "t"), speed = 24.0 * (1.0 - std::exp(-t / (inertia * 2.0)));
    EXPECT_NEAR(record.at(row, "v.hub"), speed, 1e-8);
    EXPECT_NEAR(record.at(row, "motor.hub.current"), (24.0 - speed) / 2.0, 1e-8);
  }
  expect_balanced_energy(record);
}

// With inductance: roots r of L J r^2 + R J r + (n k)^2 = 0, from rest and without current
// w = V/(n k) (1 + (r2 exp(r1 t) - r1 exp(r2 t)) / (r1 - r2)).
TEST(MotorRuns, VoltageRunsUpWithInductance) {
  const double inductance = 0.1;
  Model model = wheel(wound(inductance));
  model.drives = {voltage_drive(24.0)};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  const double b = 2.0 / inductance, c = 1.0 / (inductance * inertia), root = std::sqrt(b * b / 4 - c);
  const double r1 = -b / 2 + root, r2 = -b / 2 - root;
  for (const std::size_t row : {1u, 10u, 100u}) {
    const double t = record.at(row, "t");
    const double speed = 24.0 * (1.0 + (r2 * std::exp(r1 * t) - r1 * std::exp(r2 * t)) / (r1 - r2));
    const double rate = 24.0 * r1 * r2 * (std::exp(r1 * t) - std::exp(r2 * t)) / (r1 - r2);
    EXPECT_NEAR(record.at(row, "v.hub"), speed, 1e-8);
    EXPECT_NEAR(record.at(row, "motor.hub.current"), inertia * rate, 1e-7);
  }
  expect_balanced_energy(record);
}

TEST(MotorRuns, IntegratorsThatDoNotKnowCurrentsSaySo) {
  Model model = wheel(wound(0.1));
  model.drives = {voltage_drive(24.0)};
  expand_motors(model);
  for (const Integrator integrator : {Integrator::exponential, Integrator::ida}) {
    model.run.integrator = integrator;
    MemoryRecord record;
    try {
      run_simulation(model, record);
      ADD_FAILURE() << "accepted";
    } catch (const MechanismError& error) {
      EXPECT_EQ(std::string(error.what()),
                "integrator '" + std::string(name_of(integrator)) +
                    "' does not know the states of machine elements; take another integrator");
    }
  }
}

// Stall and no load through a run: a torque drive that asks for too much gets what the voltage leaves, which is the
// same run-up as on that voltage.
TEST(MotorRuns, VoltageLimitsATorqueDrive) {
  Motor motor = wound(0.0);
  motor.windings.voltage = 24.0;
  Model model = wheel(motor);
  model.drives = {torque_drive(1e3)};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.at(0, "motor.hub.torque"), 0.05 * 24.0 / 2.0, 1e-12);
  EXPECT_NEAR(record.at(100, "v.hub"), 24.0 * (1.0 - std::exp(-1.0)), 1e-8);
  EXPECT_NEAR(record.at(100, "motor.hub.voltage"), 24.0, 1e-9);
}

/// A wheel behind an elastic gear; rotor inertia seen from the joint 0.2 kg m^2.
Model elastic_wheel(double stiffness, double backlash = 0.0, double damping = 0.0) {
  Motor motor = geared(10.0, 2e-3);
  motor.stiffness = stiffness;
  motor.backlash = backlash;
  motor.damping = damping;
  return wheel(motor);
}
constexpr double reduced = inertia * 0.2 / (inertia + 0.2);  ///< kg m^2, of wheel and rotor against each other

// Two masses on a spring: w = sqrt(k / reduced); the common motion goes on at constant speed.
TEST(MotorRuns, TwoMassGearFrequency) {
  Model model = elastic_wheel(400.0);
  expand_motors(model);
  EXPECT_EQ(model.mechanism.joints[1].name, "hub.rotor");
  model.initial = {{"hub", 0, 0.0}, {"hub.rotor", 0, 0.01}};
  const MemoryRecord record = complete_run(model);
  const double w = std::sqrt(400.0 / reduced);
  for (const std::size_t row : {7u, 50u, 100u})
    EXPECT_NEAR(record.at(row, "gear.hub.twist"), 0.01 * std::cos(w * record.at(row, "t")), 1e-9);
  expect_balanced_energy(record);
}

// Half a sine on each flank and free flight through the play b between them: with the amplitude d beyond the play,
// T = 2 pi / w + 2 b / (w d).
TEST(MotorRuns, BacklashPeriodDependsOnTheAmplitude) {
  const double w = std::sqrt(400.0 / reduced), play = 0.01;
  for (const double beyond : {0.002, 0.01, 0.05}) {
    Model model = elastic_wheel(400.0, play);
    expand_motors(model);
    const double period = 2 * std::numbers::pi / w + 2 * play / (w * beyond), twist = beyond + play / 2;
    model.initial = {{"hub", 0, 0.0}, {"hub.rotor", 0, twist}};
    model.run.until = period;
    model.run.every = period / 100;
    const MemoryRecord record = complete_run(model);
    EXPECT_NEAR(record.at(100, "gear.hub.twist"), twist, 1e-8);
    EXPECT_NEAR(record.at(50, "gear.hub.twist"), -twist, 1e-8);
    EXPECT_NEAR(record.at(100, "v.hub.rotor") - record.at(100, "v.hub"), 0.0, 1e-6);
    expect_balanced_energy(record);
  }
}

TEST(MotorRuns, DampedGearWithLossesBalancesItsEnergy) {
  Motor motor = geared(10.0, 2e-3);
  motor.stiffness = 400.0;
  motor.damping = 0.5;
  motor.efficiency = 0.85;
  Model model = wheel(motor);
  model.drives = {torque_drive(4.0)};
  expand_motors(model);
  const MemoryRecord record = complete_run(model);
  expect_balanced_energy(record);
  EXPECT_GT(record.at(100, "energy.dissipated"), 0.0);
}

// In steady acceleration the gear passes on what the wheel needs: twist = J a / k with a = T / (J + n^2 J_r).
TEST(MotorRuns, FeedForwardDrivesTheRotorThroughItsGear) {
  Model model = elastic_wheel(4e4, 0.0, 40.0);
  Drive drive;
  drive.joint = "hub";
  drive.follow = Law(PolynomialCoefficients{{0.0, 0.0, 1.0}});
  drive.feed_forward = true;
  model.drives = {drive};
  expand_motors(model);
  model.run.until = 2.0;
  const MemoryRecord record = complete_run(model);
  EXPECT_NEAR(record.at(200, "tau.hub.rotor"), 2.0 * (inertia + 0.2), 1e-9);
  EXPECT_NEAR(record.at(200, "gear.hub.twist"), inertia * 2.0 / 4e4, 1e-9);
}

TEST(MotorRuns, RunsAlongTheLawsTakeTheGearAsRigid) {
  Model model = elastic_wheel(400.0);
  Drive drive;
  drive.joint = "hub";
  drive.follow = Law(PolynomialCoefficients{{0.0, 0.0, 1.0}});
  drive.prescribed = true;
  model.drives = {drive};
  expand_motors(model);
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  EXPECT_NEAR(record.at(50, "tau.hub.rotor"), 2.0 * (inertia + 0.2), 1e-10);
  EXPECT_NEAR(record.at(50, "tau.hub"), 0.0, 1e-12);
  EXPECT_NEAR(record.at(50, "motor.hub.torque"), 2.0 * (inertia + 0.2) / 10.0, 1e-11);
}

TEST(MotorRuns, WhatCannotBeExpandedIsRefused) {
  const auto message = [](Model model) -> std::string {
    try {
      expand_motors(model);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "accepted";
  };
  Motor motor = geared(10.0);
  motor.stiffness = 10.0;
  EXPECT_EQ(message(wheel(motor)), "motor of joint 'hub': an elastic gear needs the inertia of its rotor");
  motor.rotor = 1e-3;
  Model model = wheel(motor);
  model.mechanism.joints[0].type = JointType::cylindrical;
  model.mechanism.joints[0].actuated = {true, false};
  EXPECT_EQ(message(model), "motor of joint 'hub': an elastic gear needs a revolute or prismatic joint");
  model = wheel(geared(1.0));
  model.drives = {voltage_drive(1.0)};
  EXPECT_EQ(message(model), "motor of joint 'hub': a voltage needs windings; give their resistance and constant");
  model = wheel(wound(0.0));
  model.drives = {voltage_drive(1.0)};
  model.drives[0].torque = Law(ConstantLaw{1.0});
  EXPECT_EQ(message(model), "motor of joint 'hub': on a law of voltage it follows no motion and gives no other torque");
}

}  // namespace
}  // namespace lithe
