// Motors and cylinders in model files: what becomes of them in the mechanism.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/io/load_model.hpp"
#include "lithe/mechanism/elastic_gear.hpp"

namespace lithe {
namespace {

constexpr const char* arm = R"(
lithe: 1
parameters: {k: 8000}
links: {arm: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints:
  hub:
    revolute: z
    from: ground
    to: arm
    motor: {rotor: 1e-3, ratio: -20, efficiency: 0.9, torque: 5, curve: {speed: [10, 20], torque: [4, 1]}, windings: {resistance: 2, constant: 0.1, inductance: 0.01, voltage: 24, current: 6}GEAR}
initial: {hub: 0.5}
drives: {hub: {follow: 0.5*t, by: [inverse-dynamics, pd], kp: 10, kd: 1}}
)";

Model with_gear(const std::string& gear, const LoadOptions& options = {}) {
  std::string text = arm;
  text.replace(text.find("GEAR"), 4, gear);
  return load_model_text(text, "arm.yaml", {}, options);
}

TEST(LoadMotors, RigidGearBecomesArmature) {
  const Model model = with_gear("");
  ASSERT_EQ(model.mechanism.joints.size(), 1u);
  const Joint& hub = model.mechanism.joints[0];
  EXPECT_TRUE(hub.is_actuated());
  EXPECT_NEAR(hub.armature.at(0), 400 * 1e-3, 1e-15);
  ASSERT_TRUE(hub.motor);
  EXPECT_EQ(hub.motor->ratio, -20.0);
  EXPECT_EQ(hub.motor->efficiency, 0.9);
  EXPECT_EQ(hub.motor->torque, 5.0);
  ASSERT_EQ(hub.motor->curve.size(), 2u);
  EXPECT_EQ(hub.motor->curve[1].speed, 20.0);
  EXPECT_EQ(hub.motor->curve[1].torque, 1.0);
  EXPECT_EQ(hub.motor->windings.resistance, 2.0);
  EXPECT_EQ(hub.motor->windings.constant, 0.1);
  EXPECT_EQ(hub.motor->windings.inductance, 0.01);
  EXPECT_EQ(hub.motor->windings.voltage, 24.0);
  EXPECT_EQ(hub.motor->windings.current, 6.0);
}

TEST(LoadMotors, ElasticGearBecomesARotorAndAnElement) {
  const Model model = with_gear(", stiffness: k, damping: 3, backlash: 1 deg");
  ASSERT_EQ(model.mechanism.joints.size(), 2u);
  const Joint &hub = model.mechanism.joints[0], &rotor = model.mechanism.joints[1];
  EXPECT_FALSE(hub.is_actuated());
  EXPECT_FALSE(hub.motor);
  EXPECT_EQ(rotor.name, "hub.rotor");
  EXPECT_TRUE(rotor.is_actuated());
  EXPECT_NEAR(rotor.armature.at(0), 0.4, 1e-15);
  ASSERT_EQ(model.mechanism.elements.size(), 1u);
  const auto& gear = dynamic_cast<const ElasticGear&>(*model.mechanism.elements[0]).data();
  EXPECT_EQ(gear.stiffness, 8000.0);
  EXPECT_EQ(gear.damping, 3.0);
  EXPECT_NEAR(gear.backlash, M_PI / 180, 1e-15);
  EXPECT_EQ(gear.efficiency, 0.9);
  // The drive acts on the rotor; the motion is wanted of both.
  ASSERT_EQ(model.drives.size(), 2u);
  EXPECT_EQ(model.drives[0].joint, "hub.rotor");
  EXPECT_EQ(model.drives[0].kp, 10.0);
  EXPECT_EQ(model.drives[1].joint, "hub");
  EXPECT_TRUE(model.drives[1].behind_gear);
  EXPECT_EQ(model.drives[1].kp, 0.0);
  ASSERT_EQ(model.initial.size(), 2u);
  EXPECT_EQ(model.initial[1].joint, "hub.rotor");
  EXPECT_EQ(model.initial[1].value, 0.5);
}

TEST(LoadMotors, RigidTwinHasARigidGear) {
  LoadOptions options;
  options.rigid = true;
  const Model model = with_gear(", stiffness: k", options);
  EXPECT_EQ(model.mechanism.joints.size(), 1u);
  EXPECT_NEAR(model.mechanism.joints[0].armature.at(0), 0.4, 1e-15);
}

constexpr const char* crane = R"(
lithe: 1
links: {boom: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {lug: [2, 0]}}}
ground: {foot: [1, -1]}
joints: {pivot: {revolute: z, from: ground, to: boom}}
cylinders:
  lift: {from: ground/foot, to: boom/lug, pins: z, closed: 1, stroke: 0.8, bore: 0.1, rod: 0.06, stops: {stiffness: 1e7, damping: 10}}
initial: {pivot: 90 deg}
)";

// Foot (1, -1) to lug (0, 2): sqrt(10) apart.
TEST(LoadMotors, CylinderBecomesLinksSlideAndPins) {
  const Model model = load_model_text(crane, "crane.yaml");
  const Mechanism& m = model.mechanism;
  ASSERT_EQ(m.joints.size(), 4u);
  EXPECT_EQ(m.joints[1].name, "lift");
  EXPECT_EQ(m.joints[1].type, JointType::prismatic);
  EXPECT_TRUE(m.joints[1].is_actuated());
  EXPECT_EQ(m.joints[1].stops.at(0).lower, 0.0);
  EXPECT_EQ(m.joints[1].stops.at(0).upper, 0.8);
  EXPECT_EQ(m.joints[1].stops.at(0).stiffness, 1e7);
  EXPECT_EQ(m.joints[2].name, "lift.base");
  EXPECT_EQ(m.joints[3].name, "lift.head");
  EXPECT_EQ(m.joints[3].type, JointType::revolute);
  EXPECT_GT(m.links[m.find_link("lift.tube")].mass, 0.0);
  ASSERT_EQ(model.initial.size(), 2u);
  EXPECT_EQ(model.initial[1].joint, "lift");
  EXPECT_NEAR(model.initial[1].value, std::sqrt(10.0) - 1.0, 1e-12);
  ASSERT_EQ(model.remarks.warnings.size(), 1u);
  EXPECT_EQ(model.remarks.warnings[0],
            "cylinder 'lift': between its ends at the start it is extended by 2.162 m, but its stroke is from 0 to "
            "0.8 m");
}

}  // namespace
}  // namespace lithe
