#include "lithe/mechanism/plan.hpp"

#include <gtest/gtest.h>

#include "support/khan_3rrr.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

LinkData rod(const std::string& name) {
  LinkData link;
  link.name = name;
  link.mass = 1.0;
  link.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  return link;
}

/// Ground and n links in a ring, joint i from link i to link i + 1 (the last one back to the ground).
Mechanism ring(const std::vector<JointType>& types) {
  Mechanism m;
  for (std::size_t i = 1; i < types.size(); ++i) m.add_link(rod("link-" + std::to_string(i)));
  for (std::size_t i = 0; i < types.size(); ++i) {
    Joint joint;
    joint.name = "joint-" + std::to_string(i);
    joint.type = types[i];
    const int from = static_cast<int>(i), to = i + 1 < types.size() ? from + 1 : 0;
    joint.from = m.add_frame(from, "out", {Mat3::Identity(), Vec3(0.3, 0.1 * from, 0)});
    joint.to = {to, 0};
    m.add_joint(joint);
  }
  return m;
}

std::vector<std::string> cut_names(const Plan& plan) {
  std::vector<std::string> names;
  for (int j : plan.cut_joints()) names.push_back(plan.mechanism().joints[j].name);
  return names;
}

std::string complaint(const Mechanism& m) {
  try {
    Plan plan(m);
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "";
}

TEST(SpanningTree, CutsABalancedTreeInTheMiddle) {
  const Plan plan(ring(std::vector<JointType>(5, JointType::revolute)));
  EXPECT_EQ(cut_names(plan), std::vector<std::string>{"joint-2"});
  EXPECT_EQ(plan.loop_name(0), "joint-0, joint-1, joint-3, joint-4, joint-2");
}

TEST(SpanningTree, KeepsActuatedJoints) {
  Mechanism m = ring(std::vector<JointType>(5, JointType::revolute));
  m.joints[2].actuated = {true};
  const Plan plan(m);
  EXPECT_NE(cut_names(plan), std::vector<std::string>{"joint-2"});
  EXPECT_FALSE(plan.places()[2].cut);
  EXPECT_EQ(plan.actuated_speeds().size(), 1u);
}

TEST(SpanningTree, CutsTheJointWithMostFreedoms) {
  const Plan plan(ring({JointType::revolute, JointType::revolute, JointType::revolute, JointType::spherical}));
  EXPECT_EQ(cut_names(plan), std::vector<std::string>{"joint-3"});
  EXPECT_EQ(plan.closure_count(), 3);
}

TEST(SpanningTree, ObeysTheUser) {
  Mechanism m = ring(std::vector<JointType>(4, JointType::revolute));
  m.joints[0].cut = true;
  m.joints[0].actuated = {true};
  const Plan plan(m);
  EXPECT_EQ(cut_names(plan), std::vector<std::string>{"joint-0"});
  EXPECT_EQ(plan.actuated_speeds(), std::vector<int>{plan.nv()});
}

TEST(SpanningTree, RefusesToCutTheOnlyConnection) {
  Mechanism m;
  m.add_link(rod("arm"));
  Joint joint;
  joint.name = "shoulder";
  joint.to = {1, 0};
  joint.cut = true;
  m.add_joint(joint);
  EXPECT_EQ(complaint(m), "joint 'shoulder' cannot be cut: without it link 'arm' hangs on nothing");
}

TEST(SpanningTree, NeverCutsTiedJointsAndRotors) {
  Mechanism m = ring(std::vector<JointType>(5, JointType::revolute));
  m.joints[2].armature = {0.1};
  m.joints[1].actuated = m.joints[3].actuated = {true};
  m.couplings.push_back({"gear", {{{0, 0}, 1.0}, {{4, 0}, 2.0}}, 0.0});
  // Only joints that are no more than actuated are left.
  const Plan plan(m);
  EXPECT_TRUE(plan.places()[1].cut || plan.places()[3].cut);
  EXPECT_EQ(plan.closure_count(), (plan.is_planar() ? 2 : 5) + 1);
  EXPECT_EQ(plan.closure_rows().back().coupling, 0);
  EXPECT_EQ(plan.closure_name(1), "coupling 'gear'");
  m.couplings[0].terms.push_back({{1, 0}, 1.0});
  m.couplings[0].terms.push_back({{3, 0}, 1.0});
  EXPECT_EQ(
      complaint(m),
      "joint 'joint-2' cannot be cut to open the loop 'joint-0, joint-1, joint-3, joint-4, joint-2': every joint in "
      "it is tied by a coupling or has an armature; leave one of them free");
  m.joints[0].cut = true;
  EXPECT_EQ(complaint(m), "joint 'joint-0' cannot be cut: coupling 'gear' ties it; mark another joint of its loop");
  m.couplings.clear();
  m.joints[0].cut = false;
  m.joints[2].cut = true;
  EXPECT_EQ(complaint(m), "joint 'joint-2' cannot be cut: it has an armature; mark another joint of its loop");
}

TEST(Validation, CouplingsAndArmatures) {
  Mechanism m = ring({JointType::revolute, JointType::spherical, JointType::revolute, JointType::revolute});
  m.joints[1].armature = {0, 0.1, 0};
  EXPECT_EQ(complaint(m), "joint 'joint-1': a rotation in space has no armature; give its link the inertia");
  m.joints[1].armature.clear();
  m.joints[0].armature = {-1};
  EXPECT_EQ(complaint(m), "joint 'joint-0': the armature -1 is negative");
  m.joints[0].armature.clear();
  m.couplings.push_back({"gear", {{{0, 0}, 1.0}, {{1, 0}, 2.0}}, 0.0});
  EXPECT_EQ(complaint(m), "coupling 'gear' refers to joint 'joint-1', which has no single coordinate");
  m.couplings[0].terms[1] = {{2, 0}, 0.0};
  EXPECT_EQ(complaint(m), "coupling 'gear' has a factor that is zero or not finite");
  m.couplings[0].terms[1].factor = 1.0;
  m.couplings.push_back(m.couplings[0]);
  EXPECT_EQ(complaint(m), "coupling 'gear' is defined twice");
  m.couplings.pop_back();
  m.couplings[0].terms.clear();
  EXPECT_EQ(complaint(m), "coupling 'gear' ties nothing together");
}

TEST(Validation, NamesTheElement) {
  Mechanism m = ring(std::vector<JointType>(4, JointType::revolute));
  m.links[2].mass = -1;
  EXPECT_EQ(complaint(m), "link 'link-2': mass -1 kg is negative; give zero or a positive mass");
  m.links[2].mass = 1;
  m.links[2].inertia = Vec3(1, 1, 3).asDiagonal();
  EXPECT_EQ(complaint(m),
            "link 'link-2': no body has the principal moments 1, 1, 3 kg m^2: the largest exceeds the sum of the other "
            "two; check the inertia values");
  m.links[2].inertia.setZero();
  m.links[2].frames[1].turn = Matrix3X::Zero(3, 2);
  EXPECT_EQ(complaint(m),
            "link 'link-2': frame 'out' has shapes of another number of elastic coordinates than its link; give one "
            "column for each, or none");
  m.links[2].frames[1].turn.resize(3, 0);
  m.joints[1].to = m.joints[1].from;
  EXPECT_EQ(complaint(m), "joint 'joint-1': connects link 'link-1' with itself; name two different links");
  m = ring(std::vector<JointType>(4, JointType::revolute));
  m.add_link(rod("lost"));
  EXPECT_EQ(complaint(m),
            "link 'lost' is not connected to the ground by any chain of joints; add a joint (a 'free' joint lets it "
            "float)");
  m.add_link(rod("forgotten"));
  EXPECT_EQ(complaint(m),
            "link 'lost' is not connected to the ground by any chain of joints (nor is 'forgotten'); add a joint (a "
            "'free' joint lets it float)");
}

TEST(PlanarReduction, RecognisesThePlane) {
  EXPECT_TRUE(Plan(khan::mechanism()).is_planar());
  EXPECT_EQ(Plan(khan::mechanism()).plane_normal(), Vec3(Vec3::UnitZ()));
  // Three legs, two loops of two equations each in the plane; of five each in space.
  EXPECT_EQ(Plan(khan::mechanism()).closure_count(), 4);
  EXPECT_EQ(Plan(khan::mechanism(), {Coordinates::automatic, "", false}).closure_count(), 10);
}

TEST(PlanarReduction, LeavesSpaceMechanismsAlone) {
  Mechanism tilted = khan::mechanism();
  tilted.joints[4].axis = Vec3(0.1, 0, 1).normalized();
  EXPECT_FALSE(Plan(tilted).is_planar());
  // One ankle higher than its pin: only space arithmetic can say that the loop does not close.
  Mechanism lifted = khan::mechanism();
  lifted.links[lifted.joints[8].from.link].frames[lifted.joints[8].from.frame].pose.position.z() += 0.01;
  EXPECT_FALSE(Plan(lifted).is_planar());
}

TEST(PlanarReduction, AcceptsAxesAgainstTheNormalAndAnyPlane) {
  Mechanism m = khan::mechanism();
  m.joints[1].axis = -Vec3::UnitZ();
  EXPECT_TRUE(Plan(m).is_planar());
  // The same mechanism standing on edge.
  const Mat3 turn = rotation_from_vector(Vec3(0.3, -1.1, 0.4));
  for (Frame& frame : m.links[0].frames)
    if (frame.name != "origin") frame.pose = Pose{turn, Vec3(0.2, 0.1, -0.3)} * frame.pose;
  const Plan plan(m);
  ASSERT_TRUE(plan.is_planar());
  EXPECT_LT(plan.plane_normal().cross(turn.col(2)).norm(), 1e-12);
}

TEST(CartesianCoordinates, NeedAPlatform) {
  EXPECT_THROW(Plan(khan::mechanism(), {Coordinates::cartesian, "", true}), MechanismError);
  EXPECT_THROW(Plan(khan::mechanism(), {Coordinates::cartesian, "nothing", true}), MechanismError);
}

}  // namespace
}  // namespace lithe
