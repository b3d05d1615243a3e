// Motors and elastic gears as functions: limits, losses, currents. Expected numbers are closed forms.
#include "lithe/mechanism/motor_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/mechanism/elastic_gear.hpp"
#include "lithe/mechanism/voltage_motor.hpp"

namespace lithe {
namespace {

constexpr double epsilon = 1e-12;  ///< some roundings of numbers of order 1 to 100

Motor dc_motor() {
  Motor motor;
  motor.windings.resistance = 2.0;
  motor.windings.constant = 0.1;
  motor.windings.voltage = 24.0;
  return motor;
}

// Stall: torque k V/R at speed 0. No load: torque 0 at speed V/k.
TEST(MotorLaw, VoltageGivesStallAndNoLoadPoints) {
  const Motor motor = dc_motor();
  EXPECT_NEAR(torque_range(motor, 0.0).most, 0.1 * 24.0 / 2.0, epsilon);
  EXPECT_NEAR(torque_range(motor, 0.0).least, -0.1 * 24.0 / 2.0, epsilon);
  EXPECT_NEAR(torque_range(motor, 240.0).most, 0.0, epsilon);
  // Backwards the voltages add up: (V + k w) k / R.
  EXPECT_NEAR(torque_range(motor, -100.0).most, 0.1 * (24.0 + 10.0) / 2.0, epsilon);
}

TEST(MotorLaw, FasterThanItsVoltageAMotorCanOnlyBrake) {
  EXPECT_NEAR(torque_range(dc_motor(), 300.0).most, 0.1 * (24.0 - 30.0) / 2.0, epsilon);
}

TEST(MotorLaw, LargestCurrentBoundsTheTorque) {
  Motor motor = dc_motor();
  motor.windings.current = 5.0;
  EXPECT_NEAR(torque_range(motor, 0.0).most, 0.5, epsilon);
  EXPECT_NEAR(torque_range(motor, 0.0).least, -0.5, epsilon);
  EXPECT_NEAR(torque_range(motor, 200.0).most, 0.1 * (24.0 - 20.0) / 2.0, epsilon);
}

TEST(MotorLaw, CurveIsLinearBetweenItsPointsAndConstantOutside) {
  Motor motor;
  motor.curve = {{100.0, 2.0}, {300.0, 1.0}, {400.0, 0.0}};
  for (const auto& [speed, torque] : {std::pair{0.0, 2.0}, std::pair{100.0, 2.0}, std::pair{200.0, 1.5},
                                      std::pair{-350.0, 0.5}, std::pair{500.0, 0.0}})
    EXPECT_NEAR(largest_torque(motor, speed), torque, epsilon) << speed;
  motor.torque = 1.2;
  EXPECT_NEAR(largest_torque(motor, 0.0), 1.2, epsilon);
}

TEST(MotorLaw, GearGivesItsShareInBothDirections) {
  Motor motor;
  motor.ratio = -50.0;
  motor.efficiency = 0.8;
  EXPECT_NEAR(joint_force(motor, 100.0, 3.0), 80.0, epsilon);     // drives forwards
  EXPECT_NEAR(joint_force(motor, -100.0, -3.0), -80.0, epsilon);  // and backwards
  EXPECT_NEAR(joint_force(motor, -100.0, 3.0), -125.0, 1e-11);    // is driven: 100/0.8
  EXPECT_NEAR(joint_force(motor, 100.0, -3.0), 125.0, 1e-11);
  EXPECT_NEAR(joint_force(motor, 100.0, 0.0), 100.0, epsilon);  // neither, at rest
}

// Continuous at rest: the share differs from 1 by at most 1.5 (1/efficiency - 1) times the speed by its bound.
TEST(MotorLaw, NothingJumpsAtRest) {
  for (const double speed : {-1e-9, 1e-9})
    for (const double force : {-7.0, 7.0}) EXPECT_NEAR(gear_share(0.5, 1.0, force, speed), 1.0, 1.5e-9);
}

TEST(MotorLaw, InstantIsTheInverseOfTheForce) {
  Motor motor = dc_motor();
  motor.ratio = 20.0;
  motor.efficiency = 0.7;
  motor.windings.voltage = 1e3;
  for (const double asked : {4.0, -4.0}) {
    const double speed = 1.5;
    const double force = joint_force(motor, asked, speed);
    const MotorInstant now = motor_instant(motor, force, speed);
    EXPECT_NEAR(now.torque, asked / 20.0, epsilon);
    EXPECT_NEAR(now.speed, 30.0, epsilon);
    EXPECT_NEAR(now.current, asked / 20.0 / 0.1, epsilon);
    EXPECT_NEAR(now.voltage, 2.0 * now.current + 0.1 * 30.0, epsilon);
    // What goes in is lost or reaches the joint.
    EXPECT_NEAR(now.electrical, now.loss + force * speed, 1e-11);
    EXPECT_GT(now.loss, 0.0);
  }
}

/// One element at one instant.
struct Answered {
  std::vector<double> forces, rates, values, switches;
  ElementAnswer answer;

  Answered(const Element& element, double t, std::vector<double> q, std::vector<double> v, std::vector<double> x = {})
      : forces(element.coordinates().size()),
        rates(element.states().size()),
        values(element.columns().size()),
        switches(element.switches().size()) {
    answer.forces = forces;
    answer.rates = rates;
    answer.values = values;
    answer.switches = switches;
    element.act({t, {}, q, v, x}, answer);
  }
};

TEST(ElasticGear, PushesBeyondItsPlayAndNeverPulls) {
  ElasticGear::Data data;
  data.stiffness = 1e3;
  data.damping = 10.0;
  data.backlash = 0.02;
  const ElasticGear gear("a", data);
  EXPECT_EQ(Answered(gear, 0, {0.0, 0.009}, {0.0, 1.0}).forces[0], 0.0);
  EXPECT_NEAR(Answered(gear, 0, {0.0, 0.03}, {0.0, 0.0}).forces[0], 20.0, epsilon);
  EXPECT_NEAR(Answered(gear, 0, {0.0, -0.03}, {0.0, 0.0}).forces[0], -20.0, epsilon);
  EXPECT_NEAR(Answered(gear, 0, {0.0, 0.03}, {0.0, 0.5}).forces[1], -25.0, epsilon);
  EXPECT_EQ(Answered(gear, 0, {0.0, 0.03}, {0.0, -3.0}).forces[0], 0.0);  // 20 - 30 would pull
}

// Power of the forces = -(rate of the stored energy) - lost, with losses of the gear: share 0.9 or 1/0.9.
TEST(ElasticGear, LosesWhatTheGearDoesNotPassOn) {
  ElasticGear::Data data;
  data.stiffness = 1e3;
  data.damping = 10.0;
  data.efficiency = 0.9;
  data.ratio = 100.0;
  const ElasticGear gear("a", data);
  for (const double speed : {2.0, -2.0}) {
    const double rate = 0.3;
    const Answered at(gear, 0, {0.1, 0.15}, {speed, speed + rate});
    EXPECT_NEAR(at.forces[0], (speed > 0 ? 0.9 : 1 / 0.9) * (1e3 * 0.05 + 10.0 * rate), 1e-11);
    const double power = at.forces[0] * speed + at.forces[1] * (speed + rate), storing = 1e3 * 0.05 * rate;
    EXPECT_NEAR(power, -storing - at.answer.lost, 1e-11);
    EXPECT_GT(at.answer.lost, 0.0);
  }
}

TEST(VoltageMotor, CurrentOfResistanceAndInducedVoltage) {
  Motor motor = dc_motor();
  motor.ratio = 10.0;
  const VoltageMotor element("a", {0, 0}, motor, Law(ConstantLaw{12.0}));
  const Answered at(element, 0, {0.0}, {5.0});
  const double current = (12.0 - 0.1 * 50.0) / 2.0;
  EXPECT_NEAR(at.forces[0], 10.0 * 0.1 * current, epsilon);
  EXPECT_NEAR(at.answer.supplied, 12.0 * current, epsilon);
  EXPECT_NEAR(at.answer.supplied - at.answer.lost, at.forces[0] * 5.0, epsilon);
}

TEST(VoltageMotor, InductanceKeepsTheCurrentAndTheLimitKeepsItSmall) {
  Motor motor = dc_motor();
  motor.windings.inductance = 0.01;
  motor.windings.current = 3.0;
  const VoltageMotor element("a", {0, 0}, motor, Law(ConstantLaw{20.0}));
  const Answered within(element, 0, {0.0}, {180.0}, {1.0});
  EXPECT_NEAR(within.rates[0], (20.0 - 18.0 - 2.0) / 0.01, 1e-10);
  EXPECT_NEAR(within.answer.stored, 0.5 * 0.01, epsilon);
  EXPECT_GT(within.switches[0], 0.0);
  // At rest 20 V would drive 10 A: the supply gives 2 ohm times 3 A.
  const Answered limited(element, 0, {0.0}, {0.0}, {3.0});
  EXPECT_NEAR(limited.rates[0], 0.0, 1e-10);
  EXPECT_LT(limited.switches[0], 0.0);
}

}  // namespace
}  // namespace lithe
