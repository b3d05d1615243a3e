// Fattah reference 5.1, items 4 to 6 and 9: one elastic link by itself, on random mass points with random shape
// matrices. Expected values: sums over the points, the reference's formulas, finite differences.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "reference/free_link.hpp"

namespace lithe::testing {
namespace {

constexpr std::uint32_t seeds[] = {1, 2, 3, 4, 5};

/// Largest entry of the difference over the largest entry of `expected`.
double difference(const MatrixX& actual, const MatrixX& expected) {
  return (actual - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

ConstantMatrices matrices(FreeLink& free) { return {free.link, free.eta(), free.rate(), free.spin()}; }

/// The speeds of the engine take the spin in link axes, Fattah's twists in ground axes: twist = axes * speeds.
MatrixX to_ground(FreeLink& free) {
  MatrixX axes = MatrixX::Identity(free.plan.nv(), free.plan.nv());
  axes.block<3, 3>(3, 3) = free.rotation();
  return axes;
}

// Item 4 (1e-12): M = sum m W^T W; symmetric; kinetic energy not negative, and that of the points.
TEST(FattahLink, MassMatrixIsThatOfTheMassPoints) {
  for (const std::uint32_t seed : seeds) {
    FreeLink free(seed, 4);
    MatrixX expected = MatrixX::Zero(10, 10);
    double kinetic = 0.0;
    for (const FieldPoint& p : free.points) {
      const MatrixX w = free.way(p);
      expected += p.mass * w.transpose() * w;
      kinetic += 0.5 * p.mass * (w * free.state.v).squaredNorm();
    }
    const MatrixX ours = free.inertia();
    EXPECT_LT(difference(ours, expected), 1e-12);
    EXPECT_LT(difference(ours, ours.transpose()), 1e-12);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixX>(ours).eigenvalues()[0], -1e-12 * ours.norm());
    EXPECT_NEAR(energy(free.plan, free.work, free.state).kinetic / kinetic, 1.0, 1e-12);
  }
}

// The same in Fattah's blocks: R V^rr R^T, R [v^rd]x R^T, R V^re, m 1, R C1, sum of C3_kk (table of 2.8).
TEST(FattahLink, MassMatrixInConstantMatrices) {
  for (const std::uint32_t seed : seeds) {
    FreeLink free(seed, 3);
    const ConstantMatrices c = matrices(free);
    const Mat3 R = free.rotation();
    MatrixX m(9, 9);  // velocity, spin (ground axes), rates
    const Mat3 rd = R * skew(c.v_rd()) * R.transpose();
    const MatrixX re = R * c.V_re(c.u, true), de = R * c.C1(), ee = c.C3(0, 0) + c.C3(1, 1) + c.C3(2, 2);
    m << free.link.mass * Mat3::Identity(), rd.transpose(), de, rd, R * c.V_rr() * R.transpose(), re, de.transpose(),
        re.transpose(), ee;
    const MatrixX axes = to_ground(free);
    EXPECT_LT(difference(free.inertia(), axes.transpose() * m * axes), 1e-12);
  }
}

// Item 5 (1e-6 relative): the inertia rates (3.65) against differences of the engine's mass matrix along the motion.
TEST(FattahLink, InertiaRatesAreTheSlopeOfTheMassMatrix) {
  for (const std::uint32_t seed : seeds) {
    FreeLink free(seed, 3);
    const ConstantMatrices c = matrices(free);
    const Mat3 R = free.rotation(), spin = skew(R * c.b);
    const auto turned = [&](const MatrixX& m) -> MatrixX { return R * m * R.transpose(); };
    const Mat3 rr = turned(c.V_rr()), rd = turned(skew(c.v_rd()));
    const Mat3 rr_rate = spin * rr - rr * spin + turned(c.V_rr_rate());
    const Mat3 rd_rate = spin * rd - rd * spin + turned(skew(c.C1() * c.rate));
    const MatrixX re_rate = spin * R * c.V_re(c.u, true) + R * c.V_re(c.rate, false), de_rate = spin * R * c.C1();
    MatrixX expected = MatrixX::Zero(9, 9);
    expected << Mat3::Zero(), rd_rate.transpose(), de_rate, rd_rate, rr_rate, re_rate, de_rate.transpose(),
        re_rate.transpose(), MatrixX::Zero(3, 3);

    const double h = 1e-5;
    const VectorX q = free.state.q;
    const auto ground_inertia = [&](double step) -> MatrixX {
      free.state.q = q;
      move_coordinates(free.plan, VectorX(step * free.state.v), free.state.q);
      const MatrixX axes = to_ground(free);
      return axes * free.inertia() * axes.transpose();
    };
    EXPECT_LT(difference((ground_inertia(h) - ground_inertia(-h)) / (2 * h), expected), 1e-6);
  }
}

/// D of the reference: gradient of a^T R b and of a^T R H R^T b by the Euler parameters (r, r0), corrected (B.7),
/// (B.13).
Eigen::Vector4d gradient(const Eigen::Vector4d& q, const Vec3& a, const Vec3& b) {
  const Vec3 r = q.head<3>();
  Eigen::Vector4d d;
  d << 2 * b * r.dot(a) + 2 * b.dot(r) * a + 2 * q[3] * b.cross(a), 4 * q[3] * a.dot(b) + 2 * r.cross(b).dot(a);
  return d;
}
Eigen::Vector4d gradient(const Eigen::Vector4d& q, const Mat3& R, const Vec3& a, const Mat3& H, const Vec3& b) {
  const Vec3 r = q.head<3>(), e = H * R.transpose() * b, f = H.transpose() * R.transpose() * a;
  Eigen::Vector4d d;
  d << 2 * b.dot(r) * f + 2 * r.dot(f) * b - 2 * q[3] * b.cross(f) + 2 * r.dot(a) * e + 2 * e.dot(r) * a +
           2 * q[3] * e.cross(a),
      4 * q[3] * b.dot(f) - 2 * r.cross(b).dot(f) + 4 * q[3] * e.dot(a) + 2 * r.cross(e).dot(a);
  return d;
}

/// System wrench in the form of the thesis (3.66): velocity, spin (ground axes), rates; without stiffness.
VectorX thesis_form(FreeLink& free) {
  const ConstantMatrices c = matrices(free);
  const Mat3 R = free.rotation();
  const Vec3 w = R * c.b, v = free.velocity();
  const VectorX& x = free.state.q;
  Eigen::Vector4d q(x[4], x[5], x[6], x[3]);  // vector part first
  Eigen::Matrix<double, 3, 4> G;
  G << skew(q.head<3>()) + q[3] * Mat3::Identity(), -q.head<3>();
  const Mat3 spin = skew(w), half = -0.5 * spin;  // G G'^T
  const auto turned = [&](const MatrixX& m) -> MatrixX { return R * m * R.transpose(); };
  const Mat3 rr = turned(c.V_rr()), rd = turned(skew(c.v_rd()));
  const MatrixX re = R * c.V_re(c.u, true);
  const Mat3 rr_rate = spin * rr - rr * spin + turned(c.V_rr_rate());
  const Mat3 rd_rate = spin * rd - rd * spin + turned(skew(c.C1() * c.rate));
  const MatrixX re_rate = spin * re + R * c.V_re(c.rate, false), de_rate = spin * R * c.C1();

  const Eigen::Vector4d slope = 2 * gradient(q, R, w, skew(c.v_rd()), v) + 2 * gradient(q, v, c.C1() * c.rate) +
                                2 * gradient(q, w, c.V_re(c.u, true) * c.rate) + gradient(q, R, w, c.V_rr(), w);
  const int n = c.n();
  VectorX all(6 + n);
  all.head<3>() = -(rd_rate.transpose() * w + de_rate * c.rate);
  all.segment<3>(3) =
      0.25 * G * slope - 2 * half * (rd * v + rr * w + re * c.rate) - (rd_rate * v + rr_rate * w + re_rate * c.rate);
  // Gradients by the elastic coordinates: (C.7), corrected (C.17), (C.13).
  MatrixX coupling(n, 3);
  coupling << (c.C3(2, 1) - c.C3(1, 2)) * c.rate, (c.C3(0, 2) - c.C3(2, 0)) * c.rate,
      (c.C3(1, 0) - c.C3(0, 1)) * c.rate;
  VectorX second = VectorX::Zero(n);
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d) {
      const VectorX product = (c.C3(a, d) + c.C3(a, d).transpose()) * c.u + c.C5(a, d) + c.C5(d, a);
      second += ((a == d ? c.b.squaredNorm() : 0.0) - c.b[a] * c.b[d]) * product;
    }
  all.tail(n) = c.C1().transpose() * (R.transpose() * v).cross(c.b) + coupling * c.b + 0.5 * second -
                (de_rate.transpose() * v + re_rate.transpose() * w);
  return all;
}

// Item 6 (1e-10): b^S of the engine = thesis form = closed form = sum over the points.
TEST(FattahLink, SystemWrenchInAllItsForms) {
  for (const std::uint32_t seed : seeds) {
    FreeLink free(seed, 4);
    const ConstantMatrices c = matrices(free);
    const Mat3 R = free.rotation();
    VectorX points = VectorX::Zero(10);  // -int W^T (omega x (omega x d) + 2 omega x Phi eta')
    for (const FieldPoint& p : free.points)
      points -= p.mass * free.way(p).transpose() *
                (R * (c.b.cross(c.b.cross(free.place(p))) + 2.0 * c.b.cross(Vec3(p.shape * c.rate))));
    VectorX closed = c.closed_form(), thesis = thesis_form(free);
    closed.head<3>() = R * closed.head<3>().eval();
    thesis.segment<3>(3) = R.transpose() * thesis.segment<3>(3).eval();
    EXPECT_LT(difference(closed, points), 1e-10);
    EXPECT_LT(difference(thesis, points), 1e-10);
    points.tail(4) -= free.link.elastic.stiffness * c.u;
    EXPECT_LT(difference(-free.bias(), points), 1e-10);
  }
}

// Item 6, rigid limit: about the mass centre -omega x I omega and no force.
TEST(FattahLink, RigidBodyNeedsOnlyTheGyroscopicMoment) {
  FreeLink free(7, 0);
  const Vec3 c = free.link.centre, w = free.spin();
  const VectorX force = -free.bias();
  const Vec3 at_origin = free.rotation().transpose() * force.head<3>();
  const Vec3 at_centre = force.segment<3>(3) - c.cross(at_origin);
  EXPECT_LT((at_centre + w.cross(free.link.inertia * w)).norm(), 1e-12 * free.link.inertia.norm() * w.squaredNorm());
  EXPECT_LT((at_origin + free.link.mass * w.cross(w.cross(c))).norm(), 1e-12 * free.link.mass * w.squaredNorm());
}

// 2.12: b^G = [m g; (R v^rd) x g; C1^T R^T g], and the potential -g . sum m r.
TEST(FattahLink, GravityWrenchAndPotential) {
  for (const std::uint32_t seed : seeds) {
    const Vec3 g(0.7, -9.81, 2.0);
    FreeLink free(seed, 3, g), weightless(seed, 3);
    const ConstantMatrices c = matrices(free);
    const Vec3 down = free.rotation().transpose() * g;
    VectorX expected(9);
    expected << free.link.mass * g, c.v_rd().cross(down), c.C1().transpose() * down;
    EXPECT_LT(difference(weightless.bias() - free.bias(), expected), 1e-12);
    const Pose pose = frame_pose(free.plan, free.work, free.state.q, {1, 0});
    double potential = 0.0;
    for (const FieldPoint& p : free.points) potential -= p.mass * g.dot(pose * free.place(p));
    const Energy now = energy(free.plan, free.work, free.state);
    EXPECT_NEAR(now.potential - now.strain, potential, 1e-12 * free.link.mass * g.norm());
    EXPECT_NEAR(now.strain, 0.5 * c.u.dot(free.link.elastic.stiffness * c.u), 1e-12 * now.strain);
  }
}

// Item 9: the work of gravity along a path (Simpson's rule on the power of b^G) is the drop of the potential.
TEST(FattahLink, GravityWorkIsTheDropOfThePotential) {
  for (const std::uint32_t seed : seeds) {
    FreeLink free(seed, 3, Vec3(0.7, -9.81, 2.0)), weightless(seed, 3);
    const auto gravity_potential = [&] {
      const Energy now = energy(free.plan, free.work, free.state);
      return now.potential - now.strain;
    };
    const auto power = [&]() -> double {
      weightless.state.q = free.state.q;
      return (weightless.bias() - free.bias()).dot(free.state.v);
    };
    // Constant speeds: the spin stays, the origin flies straight, the elastic coordinates grow evenly.
    const int steps = 100;
    const double before = gravity_potential(), h = 1.0 / steps;
    double work = power();
    for (int i = 1; i <= steps; ++i) {
      move_coordinates(free.plan, VectorX(h * free.state.v), free.state.q);
      work += (i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * power();
    }
    EXPECT_NEAR(work * h / 3, before - gravity_potential(), 1e-6 * free.link.mass * 9.81);
  }
}

}  // namespace
}  // namespace lithe::testing
