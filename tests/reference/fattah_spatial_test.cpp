// The spatial 3-RRS of Fattah's thesis: platform twist from three points, direct and inverse kinematics with bent legs.
// Reference items 17 and 18; the printed tables themselves are in `lithe reproduce fattah`.

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "reference/fattah_models.hpp"

namespace lithe::testing {
namespace {

TEST(FattahSpatial, PlatformTwistFromThreePoints) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Prepared at = random_pose(undriven(fattah_model("3rrs"), Coordinates::joint), seed, 0.1, 0.1);
    const auto velocity = [&](const char* frame) {
      return frame_velocity(at.plan, at.work, at.state, frame_of(at.plan, "platform", frame));
    };
    Mat3 P, rates;
    const Twist centre = velocity("origin");
    Mat3 weights = Mat3::Zero();
    Vec3 moment = Vec3::Zero(), mean = Vec3::Zero();
    int k = 0;
    for (const char* corner : {"p7", "p8", "p9"}) {
      const Vec3 c = frame_pose(at.plan, at.work, at.state.q, frame_of(at.plan, "platform", "origin")).position;
      P.col(k) = frame_pose(at.plan, at.work, at.state.q, frame_of(at.plan, "platform", corner)).position - c;
      rates.col(k) = velocity(corner).linear - centre.linear;
      weights += P.col(k).squaredNorm() * Mat3::Identity() - P.col(k) * P.col(k).transpose();
      moment += P.col(k).cross(rates.col(k));
      mean += velocity(corner).linear / 3;
      ++k;
    }
    EXPECT_LT((mean - centre.linear).norm(), 1e-12);
    const Vec3 least_squares = weights.partialPivLu().solve(moment);
    // Fattah (6.28)-(6.30): vect(P') = T omega, T = (tr P 1 - P)/2 and its inverse for det P = 0.
    const Vec3 vect = Vec3(rates(2, 1) - rates(1, 2), rates(0, 2) - rates(2, 0), rates(1, 0) - rates(0, 1)) / 2;
    const double tr = P.trace(), square = (P * P).trace();
    const Vec3 printed = (2 / tr) * vect + 4 / (tr * (tr * tr - square)) * (P * P * vect);
    EXPECT_LT((least_squares - centre.angular).norm(), 1e-11);
    EXPECT_LT((printed - centre.angular).norm(), 1e-10);
  }
}

// Direct kinematics gives the platform; from its place, with the same bending, the inverse finds the motors again.
TEST(FattahSpatial, InverseUndoesDirectKinematics) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Prepared direct = random_pose(undriven(fattah_model("3rrs"), Coordinates::joint), seed, 0.1, 0.1);
    Prepared inverse = prepare(undriven(fattah_model("3rrs"), Coordinates::cartesian));
    const VectorX known = transfer_coordinates(direct.plan, direct.work, direct.state.q, inverse.plan);
    VectorX q = known;
    for (const char* joint : {"motor-1", "motor-2", "motor-3", "knee-1", "knee-2", "knee-3"})
      if (const JointPlace& place = place_of(inverse.plan, joint); !place.cut) q[place.q] += 0.1;
    AssemblyOptions options;
    const int pose = place_of(inverse.plan, "platform.free").v;
    options.held = {pose, pose + 1, pose + 2};  // three freedoms: the place of the centre decides
    for (const ElasticPlace& place : inverse.plan.elastic_places())
      for (int i = 0; i < place.count; ++i) options.held.push_back(place.v + i);
    ASSERT_TRUE(assemble(inverse.plan, inverse.work, q, options).status);
    int compared = 0;
    for (const char* joint : {"motor-1", "motor-2", "motor-3", "knee-1", "knee-2", "knee-3"}) {
      const JointPlace& place = place_of(inverse.plan, joint);
      if (place.cut) continue;
      ++compared;
      EXPECT_NEAR(q[place.q], known[place.q], 1e-10) << joint;
    }
    EXPECT_GE(compared, 3);
  }
}

}  // namespace
}  // namespace lithe::testing
