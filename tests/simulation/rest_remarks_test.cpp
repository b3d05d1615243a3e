// Statics and linear models say what they know nothing of.

#include <gtest/gtest.h>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/rest.hpp"

namespace lithe {
namespace {

const std::string hanging = R"(
lithe: 1
gravity: [0, -9.81]
links: {arm: {rod: {from: [0, 0], to: [1, 0], mass: 1}}}
initial: {pin: -80 deg}
)";

TEST(RestRemarks, DryFrictionCouldHoldAnotherPose) {
  const Model model = load_model_text(
      hanging + "joints: {pin: {revolute: z, from: ground, to: arm, friction: {coulomb: 1}}}\n", "arm.yaml");
  const ModelAtRest rest(model);
  ASSERT_EQ(rest.remarks().notes.size(), 1U);
  EXPECT_EQ(rest.remarks().notes[0], "the rest is the one without the dry friction that can hold joint 'pin'");
}

TEST(RestRemarks, CreepingFrictionAndFreeJointsHoldNothing) {
  for (const std::string joint : {"", ", friction: {coulomb: 1, creep: 0.01}", ", stops: {lower: -3, upper: 0}"}) {
    const Model model =
        load_model_text(hanging + "joints: {pin: {revolute: z, from: ground, to: arm" + joint + "}}\n", "arm.yaml");
    EXPECT_TRUE(ModelAtRest(model).remarks().notes.empty()) << joint;
  }
}

TEST(RestRemarks, PressuresStayAsTheyAre) {
  const Model model = load_model_text(R"(
lithe: 1
gravity: [0, -9.81]
ground: {foot: [0.5, -0.3]}
links: {boom: {rod: {from: [0, 0], to: [2, 0], mass: 100}, frames: {ear: [0.8, 0]}}}
joints: {pivot: {revolute: z, from: ground, to: boom, spring: {stiffness: 1e4}}}
cylinders:
  ram: {from: ground/foot, to: boom/ear, pins: z, closed: 0.3, stroke: 0.5, bore: 0.06, rod: 0.035, oil: {pressures: [6e5, 1e5]}}
)",
                                      "boom.yaml");
  const OperatingPoint point(model, {});
  ASSERT_EQ(point.remarks().notes.size(), 1U);
  EXPECT_EQ(point.remarks().notes[0], "small motions are those without what changes inside cylinder 'ram'");
}

}  // namespace
}  // namespace lithe
