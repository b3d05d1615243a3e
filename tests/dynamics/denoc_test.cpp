// The denoc formulation where the reference tests do not reach: other platforms, other independent sets, reversed
// joints, internal freedoms, cut joints with springs, branched trees, refusals. Compared with `multipliers`, which
// shares nothing but the tree with it; that one is checked against the oracles.

#include "lithe/dynamics/denoc.hpp"

#include <gtest/gtest.h>

#include <random>

#include "lithe/dynamics/forward.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/khan_3rrr.hpp"
#include "support/khan_6ups.hpp"
#include "support/oracle.hpp"

namespace lithe {
namespace {

using namespace testing;

/// Largest difference between denoc and multipliers at a state with random speeds and random forces, relative.
double disagreement(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<int>& keep = {}) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  State state;
  state.q = q;
  state.v = VectorX::Zero(plan.nv());
  EXPECT_LT(closure_error(plan, work, q), 1e-11);
  EXPECT_TRUE(select_independent(plan, work, q, keep));
  for (const int speed : work.independent()) state.v[speed] = normal(generator);
  EXPECT_TRUE(complete_speeds(plan, work, q, state.v));
  Actions actions(plan);
  for (Eigen::Index i = 0; i < actions.tau.size(); ++i) actions.tau[i] = normal(generator);
  for (Wrench& load : actions.loads) load.force = Vec3(normal(generator), normal(generator), 0);
  VectorX ours = VectorX::Zero(plan.nv()), reference = ours;
  EXPECT_TRUE(forward_dynamics(plan, work, state, actions, ours, {Formulation::denoc}));
  EXPECT_TRUE(forward_dynamics(plan, work, state, actions, reference, {Formulation::multipliers}));
  return (ours - reference).cwiseAbs().maxCoeff() / std::max(1.0, reference.cwiseAbs().maxCoeff());
}

/// The same mechanism with every joint that has no axis of its own in the to-frame turned round. Revolute and prismatic
/// joints whose two frames see the axis alike keep their motion with the opposite sign.
Mechanism with_reversed_joints(Mechanism m) {
  for (Joint& joint : m.joints) {
    if (joint.type != JointType::revolute && joint.type != JointType::prismatic) continue;
    std::swap(joint.from, joint.to);
  }
  return m;
}

TEST(Denoc, ReversedJoints) {
  const Plan forward(khan_3rrr::mechanism()), reversed(with_reversed_joints(khan_3rrr::mechanism()));
  const VectorX q = khan_3rrr::initial_posture(forward);
  VectorX negative = reversed.neutral();
  for (const Joint& joint : forward.mechanism().joints) {
    const JointPlace& place = place_of(forward, joint.name);
    if (!place.cut) set_coordinate(reversed, joint.name, -q[place.q], negative);
  }
  for (const Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::spatial}) {
    Workspace work(reversed, arithmetic);
    ASSERT_TRUE(assemble(reversed, work, negative).status);
    EXPECT_LT(disagreement(reversed, work, negative), 1e-10);
  }
}

TEST(Denoc, ReversedSphericalAndUniversalJoints) {
  for (const char* name : {"rssr", "rsur"}) {
    const Json oracle = read_oracle(name);
    // With the rocker as platform the joint `far` is passed against its direction on no leg, with the crank `near` is.
    for (const char* platform : {"crank", "coupler", "rocker"}) {
      const Plan plan(mechanism_of(oracle), PlanOptions{Coordinates::automatic, platform, true});
      Workspace work(plan);
      for (const Json& recorded : oracle["states"])
        EXPECT_LT(disagreement(plan, work, state_of(plan, recorded).q), 1e-10) << name << " " << platform;
    }
  }
}

TEST(Denoc, EveryIndependentSet) {
  const Plan plan(khan_3rrr::mechanism());
  Workspace work(plan);
  const VectorX q = khan_3rrr::initial_posture(plan);
  for (int i = 0; i < plan.nv(); ++i)
    for (int j = i + 1; j < plan.nv(); ++j) EXPECT_LT(disagreement(plan, work, q, {i, j}), 1e-9) << i << " " << j;
}

TEST(Denoc, CartesianCoordinates) {
  const Plan plan(khan_3rrr::mechanism(), PlanOptions{Coordinates::cartesian, "platform", true});
  for (const Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::spatial}) {
    Workspace work(plan, arithmetic);
    EXPECT_LT(disagreement(plan, work, khan_3rrr::initial_posture(plan)), 1e-10);
  }
}

// A cut joint with spring and damper: its coordinate and rate come from the legs' own recursion.
TEST(Denoc, SpringsInCutJoints) {
  Mechanism m = khan_3rrr::mechanism();
  for (Joint& joint : m.joints) {
    joint.stiffness = {3.0};
    joint.rest = {0.2};
    joint.damping = {0.7};
  }
  const Plan plan(m);
  Workspace work(plan);
  EXPECT_LT(disagreement(plan, work, khan_3rrr::initial_posture(plan)), 1e-10);
}

/// The 6-UPS with ball joints at both ends of every leg and no yokes.
Mechanism six_sps() {
  const Mechanism ups = khan_6ups::mechanism();
  Mechanism m;
  m.gravity = ups.gravity;
  m.links[0] = ups.links[0];
  for (const LinkData& link : ups.links)
    if (link.name != "ground" && link.name.rfind("yoke", 0) != 0) m.add_link(link);
  const auto moved = [&](FrameRef frame) { return FrameRef{m.find_link(ups.links[frame.link].name), frame.frame}; };
  for (int k = 0; k < 6; ++k) {
    for (const char* part : {"tilt", "stroke", "wrist"}) {
      Joint joint = ups.joints[ups.find_joint(khan_6ups::name(part, k))];
      joint.from = moved(joint.from);
      joint.to = moved(joint.to);
      if (joint.name == khan_6ups::name("tilt", k)) {
        joint.name = khan_6ups::name("ball", k);
        joint.type = JointType::spherical;
        joint.to = {m.find_link(khan_6ups::name("barrel", k)), 0};
      }
      m.add_joint(joint);
    }
  }
  return m;
}

// Each S-P-S leg may spin about its axis: twelve freedoms in all. The spins are independent speeds.
TEST(Denoc, SpinningLegs) {
  const Plan plan(six_sps());
  Workspace work(plan);
  VectorX q = plan.neutral();
  const auto coordinates = [](const Mat3& rotation) {
    const Quat x(rotation);
    return VectorX(Eigen::Vector4d(x.w(), x.x(), x.y(), x.z()));
  };
  for (int k = 0; k < 6; ++k) {
    const auto v = khan_6ups::leg_values(k);
    const auto turn = [](double x, double y, double z) -> Mat3 {
      return khan_6ups::turn(x, Vec3::UnitX()) * khan_6ups::turn(y, Vec3::UnitY()) * khan_6ups::turn(z, Vec3::UnitZ());
    };
    set_coordinates(plan, khan_6ups::name("ball", k), coordinates(turn(v[0], v[1], 0)), q);
    set_coordinate(plan, khan_6ups::name("stroke", k), v[2], q);
    set_coordinates(plan, khan_6ups::name("wrist", k), coordinates(turn(v[3], v[4], v[5])), q);
  }
  ASSERT_TRUE(select_independent(plan, work, q));
  EXPECT_EQ(work.independent().size(), 12u);
  EXPECT_EQ(why_not_applicable(plan, Formulation::denoc), "");
  EXPECT_LT(disagreement(plan, work, q), 1e-9);
}

// A tree with two branches, prescribed joint included: U D U^T recursion against the articulated one of `noc`.
TEST(Denoc, BranchedTree) {
  const Json arm = read_oracle("serial_arm");
  Mechanism m = mechanism_of(arm);
  LinkData tail = m.links[m.find_link("hand")];
  tail.name = "tail";
  Joint branch = m.joints[m.find_joint("slide")];
  branch.name = "branch";
  branch.to = {m.add_link(tail), 0};
  m.add_joint(branch);
  const Plan plan(m);
  Workspace work(plan);
  State state = state_of(plan, arm["states"][0]);
  ASSERT_TRUE(select_independent(plan, work, state.q));
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = normal(generator);
  for (const std::vector<int>& prescribed : {std::vector<int>{}, std::vector<int>{1, 4}}) {
    VectorX ours = VectorX::Constant(plan.nv(), 0.3), reference = ours;
    ASSERT_TRUE(forward_dynamics(plan, work, state, Actions(plan), ours, {Formulation::denoc, prescribed}));
    ASSERT_TRUE(forward_dynamics(plan, work, state, Actions(plan), reference, {Formulation::noc, prescribed}));
    EXPECT_LT((ours - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Denoc, SaysWhyItDoesNotFit) {
  Mechanism m = khan_3rrr::mechanism();
  LinkData gripper;
  gripper.name = "gripper";
  gripper.mass = 1.0;
  gripper.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  Joint wrist;
  wrist.name = "wrist";
  wrist.from = {m.find_link("platform"), 0};
  wrist.to = {m.add_link(gripper), 0};
  m.add_joint(wrist);
  const Plan plan(m);
  EXPECT_NE(why_not_applicable(plan, Formulation::denoc), "");
  Workspace work(plan);
  State state;
  state.q = khan_3rrr::initial_posture(plan);
  state.v = VectorX::Zero(plan.nv());
  ASSERT_TRUE(select_independent(plan, work, state.q));
  VectorX a = VectorX::Zero(plan.nv());
  EXPECT_EQ(forward_dynamics(plan, work, state, Actions(plan), a, {Formulation::denoc}).code,
            Status::Code::not_applicable);
}

// Type-2 singularity of the 3-RRR: turned by 120 degrees into itself, with the lines of all three rods through the
// platform centre. The locked motors cannot hold the platform; K is singular, and that is said rather than divided by.
TEST(Denoc, ConcurrentRodsAreSingular) {
  const Plan plan(khan_3rrr::mechanism(), PlanOptions{Coordinates::joint, "platform", true});
  const double rho = khan_3rrr::platform_radius, reach = khan_3rrr::rod_length + rho;
  // Elbow at distance `reach` from the centre: triangle base pivot, elbow, centre.
  const double base = 1 / std::sqrt(3.0), crank = khan_3rrr::crank_length;
  const double at_pivot = std::acos((base * base + crank * crank - reach * reach) / (2 * base * crank));
  const Eigen::Vector2d centre(0.5, base / 2);
  const double motor = std::atan2(centre.y(), centre.x()) + at_pivot;
  const Eigen::Vector2d rod = centre - crank * Eigen::Vector2d(std::cos(motor), std::sin(motor));
  const double knee = std::atan2(rod.y(), rod.x()) - motor;
  VectorX q = plan.neutral();
  for (int j = 0; j < 3; ++j) {
    set_coordinate(plan, khan_3rrr::name("motor", j), motor + 2 * khan_3rrr::pi * j / 3, q);
    set_coordinate(plan, khan_3rrr::name("knee", j), knee, q);
    set_coordinate(plan, khan_3rrr::name("ankle", j), 0.0, q);  // ankle -> centre continues the rod
  }
  Workspace work(plan);
  ASSERT_LT(closure_error(plan, work, q), 1e-12);
  detail::Denoc<detail::Planar> denoc(plan.compiled(), detail::find_denoc_layout(plan.mechanism(), "platform"));
  std::vector<int> motors = plan.actuated_speeds();
  denoc.select(motors);
  auto& kernel = *work.scratch().flat;
  update_positions(kernel, q);
  update_world(kernel);
  const Status status = denoc.update_geometry(kernel);
  EXPECT_EQ(status.code, Status::Code::singular_closure);
  EXPECT_GT(status.condition, 1e12);

  // With the motors as independent speeds, chosen elsewhere, the loop that is named is the one that `noc` names.
  ASSERT_TRUE(select_independent(plan, work, khan_3rrr::initial_posture(plan)));
  ASSERT_EQ(work.independent(), motors);
  const State state{0.0, q, VectorX::Zero(plan.nv())};
  VectorX a = VectorX::Zero(plan.nv());
  const Status ours = forward_dynamics(plan, work, state, Actions(plan), a, {Formulation::denoc});
  const Status reference = forward_dynamics(plan, work, state, Actions(plan), a, {Formulation::noc});
  EXPECT_EQ(ours.code, Status::Code::singular_closure);
  EXPECT_EQ(ours.index, reference.index);
  EXPECT_NE(describe(plan, ours, 0.0).find("loop '" + plan.loop_name(reference.index) + "' is singular"),
            std::string::npos);
}

TEST(UduSolve, NamesThePivotWithoutInertia) {
  MatrixX G = Vec3(1.0, 0.0, 2.0).asDiagonal();
  VectorX x = VectorX::Ones(3);
  EXPECT_EQ(detail::udu_solve(G, x), 1);
}

}  // namespace
}  // namespace lithe
