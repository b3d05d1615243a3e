// Every joint type in every role: in the tree, traversed backwards, and as the cut joint that closes a loop.

#include <gtest/gtest.h>

#include <random>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

/// How the body hangs on the joint under test.
enum class Role { tree, backwards, cut };

const Vec3 axis = Vec3(1, 2, -2) / 3, axis2 = Vec3(2, 1, 2) / 3;

/// A body on one joint, with gravity, a load, springs and dampers. In role `cut` the body also floats on a free joint,
/// so that the joint under test closes a loop.
Mechanism body_on_joint(JointType type, Role role) {
  Mechanism m;
  m.gravity = Vec3(0.3, -2.0, -9.0);
  LinkData body;
  body.name = "body";
  body.mass = 2.0;
  body.centre = Vec3(0.1, -0.2, 0.3);
  body.inertia << 0.30, 0.02, -0.03, 0.02, 0.40, 0.01, -0.03, 0.01, 0.50;
  const int link = m.add_link(body);
  const FrameRef post = m.add_frame(0, "post", {rotation_from_vector(Vec3(0.4, -0.3, 0.8)), Vec3(0.5, 0.1, -0.2)});
  const FrameRef hip = m.add_frame(link, "hip", {rotation_from_vector(Vec3(-0.7, 0.2, 0.5)), Vec3(-0.2, 0.3, 0.1)});
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.axis = axis;
  joint.axis2 = axis2;
  joint.from = role == Role::backwards ? hip : post;
  joint.to = role == Role::backwards ? post : hip;
  const std::size_t speeds = static_cast<std::size_t>(speed_count(type));
  joint.actuated.assign(speeds, true);
  joint.stiffness.assign(speeds, 3.0);
  joint.damping.assign(speeds, 0.4);
  joint.cut = role == Role::cut;
  m.add_joint(joint);
  if (role == Role::cut) {
    Joint floating;
    floating.name = "floating";
    floating.type = JointType::free;
    floating.from = {0, 0};
    floating.to = {link, 0};
    m.add_joint(floating);
  }
  m.loads.push_back({"push", hip, true});
  return m;
}

std::vector<double> some_coordinates(JointType type) {
  std::vector<double> q;
  for (int i = 0; i < position_count(type); ++i) q.push_back(0.3 - 0.25 * i);
  if (type == JointType::spherical || type == JointType::free) {
    const Quat turn(Eigen::AngleAxisd(0.9, axis));
    const std::size_t start = q.size() - 4;
    q[start] = turn.w(), q[start + 1] = turn.x(), q[start + 2] = turn.y(), q[start + 3] = turn.z();
  }
  return q;
}

class JointTypes : public ::testing::TestWithParam<JointFacts> {};

TEST_P(JointTypes, CoordinatesAndPoseAreInverse) {
  Joint joint;
  joint.type = GetParam().type;
  joint.axis = axis;
  joint.axis2 = axis2;
  const std::vector<double> q = some_coordinates(joint.type);
  std::vector<double> back(q.size() + 1);
  detail::coordinates_from_pose(joint, detail::pose_from_coordinates(joint, q.data()), back.data());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(back[i], q[i], 1e-14);
}

TEST_P(JointTypes, TreeJointPlacesTheBodyBothWays) {
  for (Role role : {Role::tree, Role::backwards}) {
    Plan plan(body_on_joint(GetParam().type, role));
    Workspace work(plan);
    const std::vector<double> q = some_coordinates(GetParam().type);
    const Joint& joint = plan.mechanism().joints[0];
    const Pose relative = detail::pose_from_coordinates(joint, q.data());
    const VectorX state = Eigen::Map<const VectorX>(q.data(), std::ssize(q));
    const Pose hip = plan.mechanism().links[1].frames[1].pose, post = plan.mechanism().links[0].frames[1].pose;
    const Pose expected =
        role == Role::tree ? post * relative * hip.inverse() : post * relative.inverse() * hip.inverse();
    const Pose got = frame_pose(plan, work, state, {1, 0});
    EXPECT_LT((got.position - expected.position).norm() + (got.rotation - expected.rotation).norm(), 1e-13);
  }
}

/// Random speeds and accelerations; velocity and acceleration of a frame against central differences of its pose.
TEST_P(JointTypes, VelocitiesAndAccelerationsAreDerivativesOfPoses) {
  if (GetParam().type == JointType::fixed) GTEST_SKIP() << "nothing moves";
  for (Role role : {Role::tree, Role::backwards}) {
    Plan plan(body_on_joint(GetParam().type, role));
    Workspace work(plan);
    const std::vector<double> q = some_coordinates(GetParam().type);
    State state;
    state.q = Eigen::Map<const VectorX>(q.data(), std::ssize(q));
    state.v = VectorX::LinSpaced(plan.nv(), 0.7, -0.5);
    const VectorX a = VectorX::LinSpaced(plan.nv(), -0.4, 0.9);
    const FrameRef hip{1, 1};
    // Along t -> q moved by v t + a t^2 / 2 (body-fixed turns, exact to the order that differences see).
    const auto pose_at = [&](double t) {
      VectorX moved = state.q;
      move_coordinates(plan, state.v * t + 0.5 * a * t * t, moved);
      return frame_pose(plan, work, moved, hip);
    };
    const double h = 1e-4;
    const Pose before = pose_at(-h), here = pose_at(0), after = pose_at(h);
    const Twist velocity = frame_velocity(plan, work, state, hip);
    const Twist acceleration = frame_acceleration(plan, work, state, a, hip);
    EXPECT_LT((velocity.linear - (after.position - before.position) / (2 * h)).norm(), 1e-6);
    EXPECT_LT((acceleration.linear - (after.position - 2 * here.position + before.position) / (h * h)).norm(), 1e-5);
    const Vec3 forward = vector_from_rotation(after.rotation * here.rotation.transpose());
    const Vec3 backward = vector_from_rotation(before.rotation * here.rotation.transpose());
    EXPECT_LT((velocity.angular - (forward - backward) / (2 * h)).norm(), 1e-6);
    EXPECT_LT((acceleration.angular - (forward + backward) / (h * h)).norm(), 1e-5);
    MatrixX J;
    frame_jacobian(plan, work, state.q, hip, J);
    EXPECT_LT((J.topRows<3>() * state.v - velocity.angular).norm(), 1e-13);
    EXPECT_LT((J.bottomRows<3>() * state.v - velocity.linear).norm(), 1e-13);
  }
}

/// The cut joint must do exactly what the same joint does in the tree: motion, motor, spring, damper and reaction.
TEST_P(JointTypes, CutJointEqualsTreeJoint) {
  const JointType type = GetParam().type;
  Plan tree(body_on_joint(type, Role::tree)), loop(body_on_joint(type, Role::cut));
  ASSERT_EQ(loop.cut_joints(), std::vector<int>{0});
  Workspace tree_work(tree), loop_work(loop);
  State expected, state;
  const std::vector<double> q = some_coordinates(type);
  expected.q = Eigen::Map<const VectorX>(q.data(), std::ssize(q));
  expected.v = VectorX::LinSpaced(tree.nv(), 0.7, -0.5);
  state.q = loop.neutral();
  const Pose body = frame_pose(tree, tree_work, expected.q, {1, 0});
  detail::coordinates_from_pose(loop.mechanism().joints[1], body, state.q.data());
  EXPECT_LT(closure_error(loop, loop_work, state.q), 1e-14);
  ASSERT_TRUE(select_independent(loop, loop_work, state.q));
  EXPECT_EQ(static_cast<int>(loop_work.independent().size()), speed_count(type));
  EXPECT_EQ(analyse_mobility(loop, loop_work, state.q).mobility, speed_count(type));
  ASSERT_TRUE(select_independent(loop, loop_work, state.q));

  VectorX cut_q, cut_v, cut_a;
  cut_coordinates(loop, loop_work, state.q, cut_q);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(cut_q[static_cast<Eigen::Index>(i)], q[i], 1e-13);

  // The floating joint's speeds: rates of position in ground axes, angular velocity in body axes.
  const Twist twist = frame_velocity(tree, tree_work, expected, {1, 0});
  state.v.resize(6);
  state.v << twist.linear, body.rotation.transpose() * twist.angular;
  cut_speeds(loop, loop_work, state, cut_v);
  EXPECT_LT((cut_v - expected.v).norm(), 1e-13);
  MatrixX J, A;
  cut_jacobian(loop, loop_work, state.q, J);
  closure_jacobian(loop, loop_work, state.q, A);
  EXPECT_LT((J * state.v - expected.v).norm(), 1e-13);
  EXPECT_LT((A * state.v).norm(), 1e-13);

  Actions tree_actions(tree), actions(loop);
  tree_actions.tau = VectorX::LinSpaced(tree.nv(), 1.5, -2.5);
  actions.tau.tail(loop.cut_nv()) = tree_actions.tau;
  actions.loads[0] = tree_actions.loads[0] = {Vec3(0.5, -0.6, 0.7), Vec3(2, 3, -4)};
  VectorX wanted = VectorX::Zero(tree.nv()), a = VectorX::Zero(loop.nv());
  ASSERT_TRUE(forward_dynamics(tree, tree_work, expected, tree_actions, wanted));
  for (const Formulation f : testing::exact_formulations(loop)) {
    ASSERT_TRUE(forward_dynamics(loop, loop_work, state, actions, a, {f})) << name_of(f);
    cut_accelerations(loop, loop_work, state, a, cut_a);
    EXPECT_LT((cut_a - wanted).norm(), 1e-10 * (1 + wanted.norm())) << name_of(f);
  }
  const Wrench reaction = joint_reactions(tree, tree_work, expected, wanted, tree_actions)[0];
  const Wrench cut_reaction = joint_reactions(loop, loop_work, state, a, actions)[0];
  EXPECT_LT((reaction.force - cut_reaction.force).norm() + (reaction.moment - cut_reaction.moment).norm(), 1e-9);
  EXPECT_NEAR(energy(tree, tree_work, expected).kinetic, energy(loop, loop_work, state).kinetic, 1e-12);
  EXPECT_NEAR(energy(tree, tree_work, expected).potential, energy(loop, loop_work, state).potential, 1e-11);
  EXPECT_NEAR(supplied_power(tree, tree_work, expected, tree_actions), supplied_power(loop, loop_work, state, actions),
              1e-12);
  EXPECT_NEAR(dissipated_power(tree, tree_work, expected), dissipated_power(loop, loop_work, state), 1e-13);

  InverseResult inverse;
  inverse_dynamics(loop, loop_work, state, a, actions, loop.actuated_speeds(), inverse);
  ASSERT_TRUE(inverse.status);
  EXPECT_LT((inverse.tau - actions.tau).norm(), 1e-10);
  EXPECT_LT(inverse.residual, 1e-10);
}

/// Swapping the two frames of a joint changes the sign of what it measures, not what it does.
TEST_P(JointTypes, BackwardsJointHasTheSameDynamics) {
  const JointType type = GetParam().type;
  if (type == JointType::universal) GTEST_SKIP() << "its axes change roles: `axis` is fixed in the from-frame";
  if (type == JointType::fixed) GTEST_SKIP() << "nothing moves";
  // Dampers resist rates as seen from the from-frame, which is another frame here.
  Mechanism undamped = body_on_joint(type, Role::tree), swapped = body_on_joint(type, Role::backwards);
  undamped.joints[0].damping.clear();
  swapped.joints[0].damping.clear();
  Plan forwards(undamped), backwards(swapped);
  Workspace work(forwards), back_work(backwards);
  State state, back;
  const std::vector<double> q = some_coordinates(type);
  state.q = Eigen::Map<const VectorX>(q.data(), std::ssize(q));
  back.q = transfer_coordinates(forwards, work, state.q, backwards);
  state.v = VectorX::LinSpaced(forwards.nv(), 0.7, -0.5);
  const Twist twist = frame_velocity(forwards, work, state, {1, 1});
  // Speeds of the backwards joint that move the body alike.
  MatrixX J;
  frame_jacobian(backwards, back_work, back.q, {1, 1}, J);
  Eigen::Matrix<double, 6, 1> motion;
  motion << twist.angular, twist.linear;
  back.v = J.completeOrthogonalDecomposition().solve(motion);
  EXPECT_LT((J * back.v - motion).norm(), 1e-12);
  VectorX a = VectorX::Zero(forwards.nv()), b = a;
  ASSERT_TRUE(forward_dynamics(forwards, work, state, Actions(forwards), a));
  ASSERT_TRUE(forward_dynamics(backwards, back_work, back, Actions(backwards), b));
  const Twist first = frame_acceleration(forwards, work, state, a, {1, 1});
  const Twist second = frame_acceleration(backwards, back_work, back, b, {1, 1});
  EXPECT_LT((first.linear - second.linear).norm() + (first.angular - second.angular).norm(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(All, JointTypes, ::testing::ValuesIn(joint_table),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lithe
