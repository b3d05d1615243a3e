// The picture of mechanisms with elastic links: bent poses, and the rigid twin against which they are drawn.

#include "lithe/io/report_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/unpacked.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/links/beam.hpp"
#include "lithe/links/modes.hpp"

namespace lithe {
namespace {

LinkData steel_strip(const std::string& name, double length, int modes) {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(length, 0, 0)};
  spec.stations = {{0.0, rectangle({200e9, 7800, 0.3}, 0.004, 0.03)}};
  spec.elements = 4;
  const ElasticModel model = beam_model(name, spec, {{0.0, true, true}});
  ModeChoice choice;
  choice.count = modes;
  return reduced_link(name, model, link_modes(name, model, choice), true);
}

LinkData rod(const std::string& name, double length) {
  LinkData link;
  link.name = name;
  link.mass = 1.0;
  link.centre = Vec3(length / 2, 0, 0);
  link.inertia.diagonal() << 1e-4, length * length / 12, length * length / 12;
  link.frames.push_back({"tip", {Mat3::Identity(), {length, 0, 0}}, {}, {}, {}});
  return link;
}

void pin(Mechanism& mechanism, const std::string& name, FrameRef from, FrameRef to, bool actuated = false) {
  Joint joint;
  joint.name = name;
  joint.from = from;
  joint.to = to;
  joint.actuated = {actuated};
  mechanism.add_joint(joint);
}

/// One row of results with the given coordinates.
Results row_of(const Plan& plan, Workspace& work, const VectorX& q) {
  Results results;
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  results.columns = {"t"};
  results.data = {0.0};
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    results.columns.push_back("q." + plan.mechanism().joints[j].name);
    results.data.push_back((place.cut ? cut_q : q)[place.q]);
  }
  for (const ElasticPlace& place : plan.elastic_places()) {
    for (int i = 0; i < place.count; ++i) {
      results.columns.push_back("q." + plan.speed_name(place.v + i));
      results.data.push_back(q[place.q + i]);
    }
  }
  return results;
}

Pose pose_at(const std::vector<float>& table, int link) {
  const float* numbers = &table[7 * (link - 1)];
  return {Quat(numbers[3], numbers[4], numbers[5], numbers[6]).toRotationMatrix(),
          Vec3(numbers[0], numbers[1], numbers[2])};
}

/// A bent arm on a motor, with a rigid hand at its tip.
struct BentArm {
  Model model;
  VectorX eta{{0.01, -0.002}};
  double angle = 0.7;

  BentArm() {
    Mechanism& mechanism = model.mechanism;
    const int arm = mechanism.add_link(steel_strip("arm", 0.8, 2)), hand = mechanism.add_link(rod("hand", 0.1));
    pin(mechanism, "motor", {0, 0}, {arm, 0}, true);
    pin(mechanism, "wrist", mechanism.find_frame("arm", "tip"), {hand, 0});
  }

  nlohmann::json scene() const {
    const Plan plan(model.mechanism, model.plan);
    Workspace work(plan);
    VectorX q = plan.neutral();
    q[plan.places()[0].q] = angle;
    q.segment(plan.elastic_places()[1].q, 2) = eta;
    return detail::scene_of(model, row_of(plan, work, q), {0});
  }
};

// The definition of a frame on an elastic link (link_data.hpp): origin moved by shape eta - 1/2 eta' S eta, turned by
// the rotation vector turn eta. The hand is pinned there with angle zero.
TEST(ReportScene, LinksFollowTheBendingOfTheirNeighbours) {
  const BentArm example;
  const auto scene = example.scene();
  const Mat3 turned = rotation_from_vector({0, 0, example.angle});
  const LinkData& arm = example.model.mechanism.links[1];
  const Frame& tip = arm.frames[arm.find_frame("tip")];
  Vec3 place = tip.pose.position + tip.shape * example.eta;
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] -= 0.5 * example.eta.dot(tip.foreshortening[axis] * example.eta);
  }
  const auto poses = testing::unpacked(scene["poses"]);
  ASSERT_EQ(poses.size(), 14u);
  EXPECT_LT((pose_at(poses, 1).position).norm(), 1e-6);  // clamped root: the body frame is that of the motor
  EXPECT_LT((pose_at(poses, 1).rotation - turned).norm(), 1e-6);
  EXPECT_LT((pose_at(poses, 2).position - turned * place).norm(), 1e-6);
  EXPECT_LT((pose_at(poses, 2).rotation - turned * rotation_from_vector(tip.turn * example.eta)).norm(), 1e-6);
  EXPECT_GT((tip.shape * example.eta).norm(), 1e-3) << "the arm bends enough for this to mean something";

  const auto rigid = testing::unpacked(scene["rigid"]);
  EXPECT_LT((pose_at(rigid, 2).position - turned * tip.pose.position).norm(), 1e-6);
  EXPECT_LT((pose_at(rigid, 2).rotation - turned).norm(), 1e-6);
}

// An element of the beam is drawn by three lines and has section forces at its two ends (places 3 i, 3 i + 2) and in its
// middle (3 i + 1): the drawn point a third along it lies a third of the way from the middle back to the start.
TEST(ReportScene, LinesKnowTheirPlacesOfSectionForces) {
  const BentArm example;
  const auto link = example.scene()["links"][1];
  EXPECT_EQ(link["places"].size(), 12u);
  EXPECT_EQ(link["places"][0], "0m+");
  EXPECT_EQ(link["places"][4], "0.3m");
  const auto ends = testing::unpacked(link["ends"]);
  ASSERT_EQ(ends.size(), 6 * link["lines"].size());
  const std::vector<float> expected{1, 0, 1,        1, 0, 1.0F / 3,  //
                                    1, 0, 1.0F / 3, 1, 2, 1.0F / 3,  //
                                    1, 2, 1.0F / 3, 1, 2, 1,         //
                                    4, 3, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(ends[i], expected[i], 1e-6) << i;
  const auto section = testing::unpacked(link["section"]);
  ASSERT_EQ(section.size(), 12u * 3 * 2);
  const LinkData& arm = example.model.mechanism.links[1];
  EXPECT_FLOAT_EQ(section[2 * 2], static_cast<float>(arm.elastic.section_forces[0].rows(5, 0)));  // M_z at the root
}

// With stiffening 'stress' the second-order displacement only says what axial forces do; no frame moves by it. The
// motor holds the origin of the link, which moves here.
TEST(ReportScene, StressLinksAreNotForeshortened) {
  for (const Stiffening stiffening : {Stiffening::stress, Stiffening::consistent}) {
    BentArm example;
    LinkData& arm = example.model.mechanism.links[1];
    arm.elastic.stiffening = stiffening;
    Frame& origin = arm.frames[0];
    origin.shape = Matrix3X::Zero(3, 2);
    origin.shape.row(1) << 2.0, 1.0;
    origin.turn = Matrix3X::Zero(3, 2);
    origin.turn.row(2) << 3.0, -1.0;
    origin.foreshortening.fill(MatrixX::Zero(2, 2));
    origin.foreshortening[0] = 400.0 * MatrixX::Identity(2, 2);
    Pose local{rotation_from_vector(origin.turn * example.eta), origin.shape * example.eta};
    if (stiffening == Stiffening::consistent) local.position.x() -= 200.0 * example.eta.squaredNorm();
    const Pose expected = Pose{rotation_from_vector({0, 0, example.angle}), Vec3::Zero()} * local.inverse();
    const Pose drawn = pose_at(testing::unpacked(example.scene()["poses"]), 1);
    EXPECT_LT((drawn.position - expected.position).norm(), 1e-6);  // 32-bit floats
    EXPECT_LT((drawn.rotation - expected.rotation).norm(), 1e-6);
  }
}

TEST(ReportScene, ElasticLinksCarryShapesAndFrequencies) {
  const BentArm example;
  const auto scene = example.scene();
  const auto& arm = scene["links"][1];
  const LinkData& data = example.model.mechanism.links[1];
  ASSERT_EQ(arm["coordinates"].size(), 2u);
  EXPECT_EQ(arm["coordinates"][0]["series"], "q.arm.e1");
  EXPECT_EQ(arm["coordinates"][0]["name"], "bending y 1");
  // Cantilever: omega = 1.875104^2 sqrt(EI / (rho A L^4)); four elements are within 1e-3 of it.
  const double stiffness = 200e9 * 0.03 * std::pow(0.004, 3) / 12, mass = 7800 * 0.03 * 0.004;
  const double hertz = std::pow(1.8751040687, 2) * std::sqrt(stiffness / mass) / (0.8 * 0.8) / (2 * std::numbers::pi);
  EXPECT_NEAR(arm["coordinates"][0]["frequency"].get<double>(), hertz, 1e-3 * hertz);

  // The point of the tip frame carries the shape of the tip frame.
  const auto shapes = testing::unpacked(arm["shapes"]);
  const std::size_t points = arm["points"].size();
  ASSERT_EQ(shapes.size(), 6 * points);
  const auto frame = static_cast<std::size_t>(data.find_frame("tip"));
  const std::size_t point = arm["frames"][frame]["point"];
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(shapes[6 * point + static_cast<std::size_t>(3 * k + axis)], data.frames[frame].shape(axis, k), 1e-5);
    }
  }
}

// A four-bar with an elastic coupler: the rigid twin has the same crank angle and a closed loop.
TEST(ReportScene, TheRigidTwinOfALoopIsClosed) {
  Model model;
  Mechanism& mechanism = model.mechanism;
  mechanism.add_frame(0, "right", {Mat3::Identity(), {0.5, 0, 0}});
  const int crank = mechanism.add_link(rod("crank", 0.2)), coupler = mechanism.add_link(steel_strip("coupler", 0.5, 1)),
            rocker = mechanism.add_link(rod("rocker", 0.4));
  pin(mechanism, "motor", {0, 0}, {crank, 0}, true);
  pin(mechanism, "pin-1", {crank, 1}, {coupler, 0});
  pin(mechanism, "pin-2", mechanism.find_frame("coupler", "tip"), {rocker, 1});
  pin(mechanism, "pivot", {0, 1}, {rocker, 0});
  const Plan plan(model.mechanism, model.plan);
  Workspace work(plan);
  VectorX q = plan.neutral();
  for (std::size_t j = 0; j < 4; ++j) {
    const double guess[] = {0.3, 0.6, 0.0, 1.6};
    if (!plan.places()[j].cut) q[plan.places()[j].q] = guess[j];
  }
  const ElasticPlace& elastic = plan.elastic_places()[coupler];
  q[elastic.q] = 0.02;
  AssemblyOptions options;
  options.held = {plan.places()[0].v, elastic.v};
  ASSERT_TRUE(assemble(plan, work, q, options).status);

  const auto scene = detail::scene_of(model, row_of(plan, work, q), {0});
  const auto bent = testing::unpacked(scene["poses"]), rigid = testing::unpacked(scene["rigid"]);
  const Vec3 rocker_tip = pose_at(rigid, rocker) * Vec3(0.4, 0, 0);
  EXPECT_LT((pose_at(rigid, coupler) * Vec3(0.5, 0, 0) - rocker_tip).norm(), 1e-6);
  EXPECT_LT((pose_at(rigid, crank).rotation - pose_at(bent, crank).rotation).norm(), 1e-6);
  EXPECT_GT((pose_at(bent, rocker) * Vec3(0.4, 0, 0) - rocker_tip).norm(), 1e-4) << "the two differ";
}

}  // namespace
}  // namespace lithe
