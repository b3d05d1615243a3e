#include "lithe/mechanism/build.hpp"

#include <gtest/gtest.h>

#include "lithe/links/rigid.hpp"

namespace lithe {
namespace {

TEST(Build, JointsBetweenNamedFrames) {
  Mechanism m;
  m.add_link(slender_rod("arm", 0.5, 2.0));
  Joint& joint = connect(m, JointType::prismatic, "slide", "ground", "arm/tip", Vec3(0, 3, 0));
  joint.actuated = {true};
  EXPECT_EQ(m.joints.at(0).name, "slide");
  EXPECT_EQ(m.joints[0].type, JointType::prismatic);
  EXPECT_EQ(m.joints[0].from, (FrameRef{0, 0}));
  EXPECT_EQ(m.joints[0].to, (FrameRef{1, 2}));
  EXPECT_EQ(m.joints[0].axis, Vec3::UnitY());  // made a unit vector
  EXPECT_TRUE(m.joints[0].is_actuated());
  m.validate();
}

TEST(Build, UnknownFramesAreNamed) {
  Mechanism m;
  m.add_link(slender_rod("arm", 0.5, 2.0));
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      frame_named(m, text);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("leg/tip"), "there is no link called 'leg'");
  EXPECT_EQ(complaint("leg"), "there is no link called 'leg'");
  EXPECT_EQ(complaint("arm/top"), "link 'arm' has no frame called 'top'");
  EXPECT_EQ(complaint("arm/tip"), "");
}

TEST(Build, RodFromItsEnds) {
  // About its centre a rod has m l^2/12 across and nothing along: here l = 5 m along (3, 4, 0)/5.
  const LinkData rod = slender_rod("rod", Vec3(1, 1, 1), Vec3(4, 5, 1), 12.0);
  EXPECT_EQ(rod.centre, Vec3(2.5, 3, 1));
  const Vec3 along(0.6, 0.8, 0.0), across(-0.8, 0.6, 0.0);
  EXPECT_NEAR((rod.inertia * along).norm(), 0.0, 1e-14);
  EXPECT_NEAR(across.dot(rod.inertia * across), 25.0, 1e-13);
  EXPECT_NEAR(rod.inertia(2, 2), 25.0, 1e-13);
  EXPECT_EQ(rod.frames[rod.find_frame("root")].pose.position, Vec3(1, 1, 1));
  EXPECT_EQ(rod.frames[rod.find_frame("tip")].pose.position, Vec3(4, 5, 1));
}

}  // namespace
}  // namespace lithe
