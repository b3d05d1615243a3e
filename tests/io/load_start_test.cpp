// initial and speeds: poses and twists of links, the platform of Cartesian coordinates, equilibrium.

#include <gtest/gtest.h>

#include "io/model_text.hpp"

namespace lithe {
namespace {

const std::string two_links =
    "links:\n"
    "  arm: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {tip: [1, 0]}}\n"
    "  hand: {rigid: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  shoulder: {revolute: z, from: ground, to: arm}\n"
    "  wrist: {spherical: true, from: arm/tip, to: hand}\n";

TEST(LoadStart, PosesOfLinks) {
  const Model model = load(two_links +
                           "initial:\n"
                           "  shoulder: 0.1\n"
                           "  hand: {at: [1, 2, 3], rotate: [{axis: z, angle: 90 deg}, {axis: x, angle: 90 deg}]}\n"
                           "  arm: [4, 5]\n");
  ASSERT_EQ(model.initial_poses.size(), 2u);
  EXPECT_EQ(model.initial_poses[0].link, "hand");
  EXPECT_EQ(*model.initial_poses[0].position, Vec3(1, 2, 3));
  // Rz(90) Rx(90): x goes to y, y to z, z to x.
  const Mat3 rotation = model.initial_poses[0].rotation->toRotationMatrix();
  EXPECT_NEAR((rotation * Vec3::UnitX() - Vec3::UnitY()).norm(), 0.0, 1e-15);
  EXPECT_NEAR((rotation * Vec3::UnitY() - Vec3::UnitZ()).norm(), 0.0, 1e-15);
  EXPECT_EQ(*model.initial_poses[1].position, Vec3(4, 5, 0));
  EXPECT_FALSE(model.initial_poses[1].rotation);
  ASSERT_EQ(model.initial.size(), 1u);
  EXPECT_FALSE(model.start_at_equilibrium);
}

TEST(LoadStart, TwistsOfLinks) {
  const Model model = load(two_links + "speeds: {hand: {angular: [0, 0, 2]}, arm: {velocity: [1, 0, 0]}}\n");
  ASSERT_EQ(model.initial_twists.size(), 2u);
  EXPECT_FALSE(model.initial_twists[0].velocity);
  EXPECT_EQ(*model.initial_twists[0].angular, Vec3(0, 0, 2));
  EXPECT_EQ(*model.initial_twists[1].velocity, Vec3(1, 0, 0));
}

// In a plane the joint has other coordinates than in space: as a list they are those of the joint, as a map a pose.
TEST(LoadStart, PlatformOfCartesianCoordinates) {
  const std::string cartesian = two_links + "coordinates: cartesian\nplatform: hand\n";
  const Model list = load(cartesian + "initial: {hand.free: [1, 2, 3]}\nspeeds: {hand.free.1: 4}\n");
  ASSERT_EQ(list.initial.size(), 3u);
  EXPECT_EQ(list.initial[2].joint, "hand.free");
  EXPECT_EQ(list.initial[2].coordinate, 2);
  EXPECT_EQ(list.initial[2].value, 3.0);
  EXPECT_EQ(list.initial_speeds.at(0).joint, "hand.free");
  const Model map = load(cartesian + "initial: {hand.free: {at: [1, 2, 3]}}\n");
  ASSERT_EQ(map.initial_poses.size(), 1u);
  EXPECT_EQ(map.initial_poses[0].link, "hand");
}

TEST(LoadStart, Equilibrium) {
  EXPECT_TRUE(load(two_links + "initial: equilibrium\n").start_at_equilibrium);
  const Model with_values = load(two_links + "initial: {equilibrium: true, shoulder: 1}\n");
  EXPECT_TRUE(with_values.start_at_equilibrium);
  EXPECT_EQ(with_values.initial.size(), 1u);
  EXPECT_FALSE(load(two_links + "initial: {equilibrium: false}\n").start_at_equilibrium);
}

}  // namespace
}  // namespace lithe
