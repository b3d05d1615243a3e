// Fattah reference 5.1, item 7, and A.3 to A.6: Euler parameters (quaternions) and rotation matrices. The matrices G
// and L of the appendix are written here; the rotation, the rates and the round trip are those of the library.

#include "lithe/spatial/pose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/link_dice.hpp"

namespace lithe::testing {
namespace {

using Matrix34 = Eigen::Matrix<double, 3, 4>;
using Euler = Eigen::Vector4d;  ///< vector part first, as in the thesis

Matrix34 G_of(const Euler& q) {
  Matrix34 g;
  g << skew(q.head<3>()) + q[3] * Mat3::Identity(), -q.head<3>();
  return g;
}
Matrix34 L_of(const Euler& q) {
  Matrix34 l;
  l << -skew(q.head<3>()) + q[3] * Mat3::Identity(), -q.head<3>();
  return l;
}

/// A body that turns freely: the library's own quaternion coordinates.
struct Ball {
  Plan plan;
  Workspace work;
  State state;
  explicit Ball(LinkDice& dice) : plan(mechanism()), work(plan) {
    const Quat turn(rotation_from_vector(3.0 * dice.vector()));
    state.q.resize(4);
    state.q << turn.w(), turn.vec();
    state.v = 2.0 * dice.vector();
  }
  static Mechanism mechanism() {
    Mechanism m;
    LinkData body;
    body.name = "ball";
    body.mass = 1.0;
    body.inertia = Mat3::Identity();
    m.add_link(body);
    Joint joint;
    joint.name = "centre";
    joint.type = JointType::spherical;
    joint.to = {1, 0};
    m.add_joint(joint);
    return m;
  }
  Euler parameters() const { return {state.q[1], state.q[2], state.q[3], state.q[0]}; }
};

TEST(EulerParameters, IdentitiesOfTheAppendix) {
  LinkDice dice(11);
  for (int i = 0; i < 50; ++i) {
    Ball ball(dice);
    const Euler q = ball.parameters();
    const Matrix34 G = G_of(q), L = L_of(q);
    const Mat3 R = frame_pose(ball.plan, ball.work, ball.state.q, {1, 0}).rotation;
    EXPECT_LT((G * G.transpose() - Mat3::Identity()).norm(), 1e-13);
    EXPECT_LT((G * q).norm(), 1e-13);
    EXPECT_LT((R * R.transpose() - Mat3::Identity()).norm(), 1e-13);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-13);
    EXPECT_LT((R - G * L.transpose()).norm(), 1e-13);  // (A.4)
    const Vec3 r = q.head<3>();
    const Mat3 a3 =
        (2 * q[3] * q[3] - 1) * Mat3::Identity() + 2 * r * r.transpose() + 2 * q[3] * skew(r);  // (A.3a), corrected
    EXPECT_LT((R - a3).norm(), 1e-13);

    VectorX rates(4);
    coordinate_rates(ball.plan, ball.state.q, ball.state.v, rates);
    const Euler rate(rates[1], rates[2], rates[3], rates[0]);
    const Vec3 omega = R * ball.state.v;              // speeds are in the axes of the body
    EXPECT_LT((2 * G * rate - omega).norm(), 1e-12);  // (A.6)
    EXPECT_LT((rate - 0.5 * G.transpose() * omega).norm(), 1e-13);
    EXPECT_LT((2 * L * rate - ball.state.v).norm(), 1e-12);
    EXPECT_LT((G * G_of(rate).transpose() + 0.5 * skew(omega)).norm(), 1e-12);
    EXPECT_NEAR(q.dot(rate), 0.0, 1e-13);
  }
}

TEST(Rotation, VectorAndMatrixRoundTrip) {
  LinkDice dice(12);
  const auto round_trip = [](const Mat3& R) -> Mat3 { return rotation_from_vector(vector_from_rotation(R)); };
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = dice.vector().normalized();
    // Half turns, nearly half turns, tiny turns, any.
    for (const double angle : {std::numbers::pi, std::numbers::pi - 1e-9, 1e-9, 0.0, dice.between(-3.1, 3.1)}) {
      const Mat3 R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      EXPECT_LT((round_trip(R) - R).norm(), 1e-13) << angle;
      EXPECT_NEAR(vector_from_rotation(R).norm(), std::abs(angle), 1e-7);
      // Quaternion and back.
      EXPECT_LT((Quat(R).toRotationMatrix() - R).norm(), 1e-13) << angle;
    }
  }
  // Half turns about the axes and their bisectors, where one or two quaternion components vanish.
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 1, 0), Vec3(0, -1, 1), Vec3(1, 1, 1)}) {
    const Vec3 n = axis.normalized();
    const Mat3 half_turn = 2 * n * n.transpose() - Mat3::Identity();
    EXPECT_LT((round_trip(half_turn) - half_turn).norm(), 1e-14);
    EXPECT_NEAR(vector_from_rotation(half_turn).norm(), std::numbers::pi, 1e-14);
  }
}

TEST(Rotation, FramesWithAGivenThirdAxis) {
  LinkDice dice(13);
  EXPECT_EQ(frame_with_z(Vec3::UnitZ()), Mat3::Identity());
  for (int i = 0; i < 50; ++i) {
    const Vec3 axis = dice.vector().normalized();
    const Mat3 frame = frame_with_z(axis);
    EXPECT_LT((frame * frame.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
    EXPECT_LT((frame.col(2) - axis).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace lithe::testing
