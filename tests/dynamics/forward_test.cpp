#include "lithe/dynamics/forward.hpp"

#include <gtest/gtest.h>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/exact_formulations.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe {
namespace {

namespace khan = testing::khan_3rrr;

/// The 3-RRR on its prescribed motion at t = 1 s, in any coordinates and either arithmetic.
struct KhanAtOneSecond {
  Plan plan;
  Workspace work;
  State state;
  VectorX a;

  KhanAtOneSecond(Coordinates coordinates, bool planar, Mechanism mechanism = khan::mechanism())
      : plan(std::move(mechanism), {coordinates, "platform", planar}), work(plan) {
    state.q = khan::initial_posture(plan);
    std::vector<int> motors;
    for (int v : plan.actuated_speeds()) motors.push_back(v);
    EXPECT_TRUE(select_independent(plan, work, state.q, motors));
    for (int i = 1; i <= 100; ++i) {
      khan::set_motors(plan, khan::motion(i * 0.01).angle, state.q);
      EXPECT_TRUE(project_positions(plan, work, state.q));
    }
    state.v = a = VectorX::Zero(plan.nv());
    khan::set_motor_speeds(plan, khan::motion(1.0).rate, state.v);
    khan::set_motor_speeds(plan, khan::motion(1.0).acceleration, a);
    EXPECT_TRUE(complete_speeds(plan, work, state.q, state.v));
    EXPECT_TRUE(complete_accelerations(plan, work, state, a));
  }
};

// Khan reference table 6.4, row t = 1.00 s (recomputed there by two independent models).
const Vec3 torque_at_one_second(-1.22217978, -30.49296266, 46.75904937);

class KhanTorques : public ::testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(KhanTorques, InverseDynamicsGivesTheTableAndEveryFormulationInvertsIt) {
  const auto [cartesian, planar] = GetParam();
  KhanAtOneSecond khan_case(cartesian ? Coordinates::automatic : Coordinates::joint, planar);
  auto& [plan, work, state, a] = khan_case;
  EXPECT_EQ(plan.is_planar(), planar);
  Actions actions(plan);
  InverseResult inverse;
  inverse_dynamics(plan, work, state, a, actions, plan.actuated_speeds(), inverse);
  ASSERT_TRUE(inverse.status);
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(inverse.tau[plan.actuated_speeds()[j]], torque_at_one_second[j], 1e-8);
  actions.tau = inverse.tau;
  for (const Formulation f : testing::exact_formulations(plan)) {
    VectorX forward = VectorX::Zero(plan.nv());
    ASSERT_TRUE(forward_dynamics(plan, work, state, actions, forward, {f}));
    EXPECT_LT((forward - a).cwiseAbs().maxCoeff(), 1e-10) << name_of(f);
  }
}

INSTANTIATE_TEST_SUITE_P(Arithmetics, KhanTorques, ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST(CartesianCoordinates, TakeThePlatformSpeedsAndGiveTheSameAccelerations) {
  for (bool planar : {true, false}) {
    KhanAtOneSecond joint(Coordinates::joint, planar);
    Actions actions(joint.plan);
    for (int v : joint.plan.actuated_speeds()) actions.tau[v] = 1.0 + v;
    VectorX expected = VectorX::Zero(joint.plan.nv());
    ASSERT_TRUE(forward_dynamics(joint.plan, joint.work, joint.state, actions, expected));
    const Twist wanted = frame_acceleration(joint.plan, joint.work, joint.state, expected,
                                            joint.plan.mechanism().find_frame("platform", "origin"));
    const Twist speed =
        frame_velocity(joint.plan, joint.work, joint.state, joint.plan.mechanism().find_frame("platform", "origin"));

    Plan plan(khan::mechanism(), {Coordinates::cartesian, "platform", planar});
    Workspace work(plan);
    State state;
    state.q = transfer_coordinates(joint.plan, joint.work, joint.state.q, plan);
    EXPECT_LT(closure_error(plan, work, state.q), 1e-12);
    ASSERT_TRUE(select_independent(plan, work, state.q));
    const JointPlace& place = plan.places()[plan.mechanism().find_joint("platform.free")];
    for (int k = 0; k < place.nv; ++k) EXPECT_EQ(work.independent()[k], place.v + k);
    state.v = VectorX::Zero(plan.nv());
    // Motion in a plane: the platform hangs on a planar joint in either arithmetic.
    ASSERT_EQ(place.nv, 3);
    state.v.segment(place.v, 3) << speed.linear.x(), speed.linear.y(), speed.angular.z();
    ASSERT_TRUE(complete_speeds(plan, work, state.q, state.v));
    const Twist moving = frame_velocity(plan, work, state, plan.mechanism().find_frame("platform", "origin"));
    EXPECT_LT((moving.linear - speed.linear).norm() + (moving.angular - speed.angular).norm(), 1e-12);
    Actions forces(plan);
    for (int j = 0; j < 3; ++j) {
      const int from = joint.plan.actuated_speeds()[j], to = plan.actuated_speeds()[j];
      forces.tau[to] = actions.tau[from];
    }
    VectorX a = VectorX::Zero(plan.nv());
    ASSERT_TRUE(forward_dynamics(plan, work, state, forces, a));
    const Twist got = frame_acceleration(plan, work, state, a, plan.mechanism().find_frame("platform", "origin"));
    EXPECT_LT((got.linear - wanted.linear).norm(), 1e-9);
    EXPECT_LT((got.angular - wanted.angular).norm(), 1e-9);
  }
}

// dependencies survey: two 1 m, 1 kg rods, computed by Simbody, MuJoCo, KDL and DART.
TEST(OpenChain, TwoRodsUnderGravity) {
  for (bool planar : {true, false}) {
    Mechanism m;
    m.gravity = Vec3(0, -9.81, 0);
    FrameRef end{0, 0};
    for (int i = 0; i < 2; ++i) {
      LinkData rod;
      rod.name = "rod-" + std::to_string(i);
      rod.mass = 1.0;
      rod.centre = Vec3(0.5, 0, 0);
      rod.inertia = Vec3(0, 1.0 / 12, 1.0 / 12).asDiagonal();
      const int link = m.add_link(rod);
      Joint joint;
      joint.name = "joint-" + std::to_string(i);
      joint.from = end;
      joint.to = {link, 0};
      m.add_joint(joint);
      end = m.add_frame(link, "tip", {Mat3::Identity(), Vec3(1, 0, 0)});
    }
    Plan plan(m, {Coordinates::automatic, "", planar});
    Workspace work(plan);
    State state;
    state.q = Eigen::Vector2d(0.3, 0.5);
    state.v = Eigen::Vector2d(0.2, -0.4);
    VectorX a(2);
    for (const Formulation f : testing::exact_formulations(plan)) {
      ASSERT_TRUE(forward_dynamics(plan, work, state, Actions(plan), a, {f}));
      EXPECT_NEAR(a[0], -12.6198338440, 1e-9) << name_of(f);
      EXPECT_NEAR(a[1], 18.9514482569, 1e-9) << name_of(f);
    }
  }
}

// Branches on a link that moves: the inertia matrix has zeros where their factors have none.
TEST(Penalty, CanBeRepeatedAndLeavesOthersAlone) {
  KhanAtOneSecond khan_case(Coordinates::automatic, true);
  auto& [plan, work, state, a] = khan_case;
  const Actions actions(plan);
  VectorX first = VectorX::Zero(plan.nv()), second = first, before = first, after = first;
  ASSERT_TRUE(forward_dynamics(plan, work, state, actions, before, {Formulation::multipliers}));
  ASSERT_TRUE(forward_dynamics(plan, work, state, actions, first, {Formulation::penalty}));
  ASSERT_TRUE(forward_dynamics(plan, work, state, actions, second, {Formulation::penalty}));
  ASSERT_TRUE(forward_dynamics(plan, work, state, actions, after, {Formulation::multipliers}));
  EXPECT_EQ(first, second);
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace lithe
