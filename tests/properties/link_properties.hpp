#pragma once
// What holds for the data of every elastic link, whatever it is made of.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "lithe/links/elastic_model.hpp"
#include "lithe/links/rigid_motions.hpp"
#include "support/random_links.hpp"

namespace lithe::testing {

/// Largest difference, over the largest entry of `expected` or `floor`.
inline double off(const MatrixX& actual, const MatrixX& expected, double floor) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) return 1e300;
  if (expected.size() == 0) return 0.0;
  return (actual - expected).cwiseAbs().maxCoeff() / std::max(expected.cwiseAbs().maxCoeff(), floor);
}

inline LinkData unreduced(const ElasticModel& model) {
  return integrate_link("link", model, MatrixX::Identity(model.mass.rows(), model.mass.rows()), false);
}

/// Mass properties and every shape integral against sums over the samples.
inline void expect_sampled_integrals(const LinkData& link, const std::vector<MassSample>& samples, double bound) {
  const Eigen::Index n = link.elastic.count();
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  MatrixX inertia = MatrixX::Zero(n, n), translation = MatrixX::Zero(3, n), rotation = MatrixX::Zero(3, n);
  for (const MassSample& s : samples) {
    mass += s.mass;
    first += s.mass * s.position;
    second += s.rotary + s.mass * (s.position.squaredNorm() * Mat3::Identity() - s.position * s.position.transpose());
    inertia += s.mass * s.shape.transpose() * s.shape + s.turn.transpose() * s.rotary * s.turn;
    translation += s.mass * s.shape;
    for (Eigen::Index j = 0; j < n; ++j)
      rotation.col(j) += s.mass * s.position.cross(Vec3(s.shape.col(j))) + s.rotary * s.turn.col(j);
  }
  const Mat3 about_origin =
      link.inertia + link.mass * (link.centre.squaredNorm() * Mat3::Identity() - link.centre * link.centre.transpose());
  EXPECT_NEAR(link.mass / mass, 1.0, bound);
  EXPECT_LT(off(link.mass * link.centre, first, mass * 1e-3), bound);
  EXPECT_LT(off(about_origin, second, 0), bound);
  EXPECT_LT(off(link.elastic.mass, inertia, 0), bound);
  EXPECT_LT(off(link.elastic.translation, translation, mass * 1e-3), bound);
  EXPECT_LT(off(link.elastic.rotation, rotation, mass * 1e-3), bound);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      MatrixX position = MatrixX::Zero(1, n), shapes = MatrixX::Zero(n, n);
      for (const MassSample& s : samples) {
        position += s.mass * s.position[a] * s.shape.row(b);
        shapes += s.mass * s.shape.row(a).transpose() * s.shape.row(b);
      }
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      EXPECT_LT(off(link.elastic.position_shape[i][j], position, mass * 1e-3), bound) << a << b;
      EXPECT_LT(off(link.elastic.shape_shape[i][j], shapes, inertia.cwiseAbs().maxCoeff() * 1e-3), bound) << a << b;
    }
}

/// The second-order integrals of a link with stiffening, against sums over the samples.
inline void expect_sampled_foreshortening(const LinkData& link, const std::vector<MassSample>& samples, double bound) {
  const Eigen::Index n = link.elastic.count();
  double largest = 1e-3 * link.mass;
  for (const MatrixX& m : link.elastic.foreshortening) largest = std::max(largest, m.cwiseAbs().maxCoeff());
  for (std::size_t b = 0; b < 3; ++b) {
    MatrixX alone = MatrixX::Zero(n, n);
    for (const MassSample& s : samples) alone += s.mass * s.foreshortening[b];
    EXPECT_LT(off(link.elastic.foreshortening[b], alone, largest), bound) << b;
    for (std::size_t a = 0; a < 3; ++a) {
      MatrixX moment = MatrixX::Zero(n, n);
      for (const MassSample& s : samples) moment += s.mass * s.position[static_cast<int>(a)] * s.foreshortening[b];
      EXPECT_LT(off(link.elastic.position_foreshortening[a][b], moment, largest), bound) << a << b;
    }
  }
}

/// M_e symmetric and positive definite; K_e symmetric with exactly the `rigid` motions as its null space.
inline void expect_definite(const LinkData& link, Eigen::Index rigid) {
  const ElasticData& e = link.elastic;
  EXPECT_LT(off(e.mass, e.mass.transpose(), 0), 1e-12);
  EXPECT_LT(off(e.stiffness, e.stiffness.transpose(), 0), 1e-12);
  EXPECT_EQ(Eigen::LLT<MatrixX>(e.mass).info(), Eigen::Success);
  const VectorX squares = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(e.stiffness, e.mass).eigenvalues();
  const double largest = squares.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < squares.size(); ++i) {
    if (i < rigid)
      EXPECT_LT(std::abs(squares[i]), 1e-9 * largest) << i;
    else
      EXPECT_GT(squares[i], 1e-9 * largest) << i;
  }
}

/// A free link that can make all six rigid motions: with those as coordinates the integrals are its rigid mass matrix.
/// `root` is a frame at the origin.
inline void expect_rigid_invariants(const ElasticModel& model, std::size_t root, double bound) {
  const MatrixX motions = detail::rigid_motions(model);
  ASSERT_EQ(motions.cols(), 6);
  const Frame frame = model.field->frames(motions, false)[root];
  MatrixX twist(6, 6);
  const Vec3 at = frame.pose.position;
  twist << frame.shape + skew(at) * frame.turn, frame.turn;  // of the origin
  const LinkData link = integrate_link("link", model, motions * twist.inverse(), false);
  const Mat3 first = link.mass * skew(link.centre),
             second = link.inertia - link.mass * skew(link.centre) * skew(link.centre);
  MatrixX whole(6, 6);
  whole << link.mass * Mat3::Identity(), -first, first, second;
  EXPECT_LT(off(link.elastic.mass, whole, 0), bound);
  EXPECT_LT(off(link.elastic.translation, whole.topRows(3), 0), bound);
  EXPECT_LT(off(link.elastic.rotation, whole.bottomRows(3), 0), bound);
  EXPECT_LT(off(link.elastic.stiffness, MatrixX::Zero(6, 6), model.stiffness.cwiseAbs().maxCoeff()), bound);
}

/// The same link turned as a whole by R, in the same coordinates: every vector and tensor turns with it.
inline void expect_turned(const LinkData& turned, const LinkData& link, const Mat3& R, double bound) {
  const ElasticData &t = turned.elastic, &e = link.elastic;
  EXPECT_NEAR(turned.mass / link.mass, 1.0, bound);
  EXPECT_LT(off(turned.centre, R * link.centre, 0.1), bound);
  EXPECT_LT(off(turned.inertia, R * link.inertia * R.transpose(), 0), bound);
  EXPECT_LT(off(t.mass, e.mass, 0), bound);
  EXPECT_LT(off(t.stiffness, e.stiffness, 0), bound);
  EXPECT_LT(off(t.translation, R * e.translation, link.mass * 1e-3), bound);
  EXPECT_LT(off(t.rotation, R * e.rotation, link.mass * 1e-3), bound);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      MatrixX position = MatrixX::Zero(1, e.count()), shapes = MatrixX::Zero(e.count(), e.count());
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const auto k = static_cast<std::size_t>(i), l = static_cast<std::size_t>(j);
          position += R(a, i) * R(b, j) * e.position_shape[k][l];
          shapes += R(a, i) * R(b, j) * e.shape_shape[k][l];
        }
      const auto k = static_cast<std::size_t>(a), l = static_cast<std::size_t>(b);
      EXPECT_LT(off(t.position_shape[k][l], position, link.mass * 1e-3), bound) << a << b;
      EXPECT_LT(off(t.shape_shape[k][l], shapes, e.mass.cwiseAbs().maxCoeff() * 1e-3), bound) << a << b;
    }
  ASSERT_EQ(turned.frames.size(), link.frames.size());
  for (std::size_t i = 0; i < link.frames.size(); ++i) {
    EXPECT_LT(off(turned.frames[i].pose.position, R * link.frames[i].pose.position, 0.1), bound);
    EXPECT_LT(off(turned.frames[i].shape, R * link.frames[i].shape, 0.1), bound);
    EXPECT_LT(off(turned.frames[i].turn, R * link.frames[i].turn, 0.1), bound);
  }
}

}  // namespace lithe::testing
