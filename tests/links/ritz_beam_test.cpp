// Properties of random beams in global shapes: everything in LinkData against an independent, finer quadrature of the
// shapes as the frames of the link show them, and the null space of the stiffness.

#include "lithe/links/ritz_beam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/gauss_rule.hpp"
#include "support/random_ritz_beam.hpp"

namespace lithe {
namespace {

constexpr int seeds = 40;

/// Lumps of mass with their shapes: Gauss points of a fine rule, turned into frames so that the model says how they
/// move.
struct FineQuadrature {
  struct Lump {
    double mass;
    Mat3 rotary;
  };
  std::vector<Lump> lumps;
  std::vector<BeamFrame> frames;

  explicit FineQuadrature(const StraightBeam& beam) {
    const detail::GaussRule rule = detail::gauss_rule(10);
    const std::vector<double> ends = detail::piece_ends(beam.stations, beam.length);
    const Mat3 axes = detail::section_axes("beam", beam.direction, beam.section_y);
    const int panels = 12;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      for (int p = 0; p < panels; ++p)
        for (int g = 0; g < 10; ++g) {
          const double length = (ends[i + 1] - ends[i]) / panels, s = ends[i] + (p + rule.at[g]) * length;
          const Section section = detail::section_at(beam.stations, s);
          const Vec3 rotary(section.polar, section.rotary_y, section.rotary_z);
          const double weight = rule.weight[g] * length;
          add(s, {}, weight * section.mass_per_length, weight * axes * rotary.asDiagonal() * axes.transpose());
        }
    for (const BeamMass& mass : beam.masses) add(mass.at, {Mat3::Identity(), mass.offset}, mass.mass, mass.inertia);
  }

  void add(double at, const Pose& offset, double mass, const Mat3& rotary) {
    lumps.push_back({mass, rotary});
    frames.push_back({"fine", at, offset});
  }
};

template <class Spec>
void expect_integrals(Spec spec, ElasticModel (*build)(const std::string&, const Spec&), std::uint32_t seed) {
  const FineQuadrature fine(spec.beam);
  spec.beam.frames.insert(spec.beam.frames.end(), fine.frames.begin(), fine.frames.end());
  const ElasticModel model = build("beam", spec);
  const Eigen::Index n = model.mass.rows();
  const LinkData link = integrate_link("beam", model, MatrixX::Identity(n, n), false);
  const ElasticData& e = link.elastic;

  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  Matrix3X translation = Matrix3X::Zero(3, n), rotation = Matrix3X::Zero(3, n);
  MatrixX elastic_mass = MatrixX::Zero(n, n), yz = MatrixX::Zero(n, n);
  Eigen::RowVectorXd xy = Eigen::RowVectorXd::Zero(n);
  for (std::size_t k = 0; k < fine.lumps.size(); ++k) {
    const Frame& frame = link.frames[link.frames.size() - fine.lumps.size() + k];
    const Vec3 x = frame.pose.position;
    const double m = fine.lumps[k].mass;
    mass += m;
    first += m * x;
    second += fine.lumps[k].rotary + m * (x.squaredNorm() * Mat3::Identity() - x * x.transpose());
    translation += m * frame.shape;
    rotation += m * skew(x) * frame.shape + fine.lumps[k].rotary * frame.turn;
    elastic_mass +=
        m * frame.shape.transpose() * frame.shape + frame.turn.transpose() * fine.lumps[k].rotary * frame.turn;
    xy += m * x[0] * frame.shape.row(1);
    yz += m * frame.shape.row(1).transpose() * frame.shape.row(2);
  }
  const auto near = [&](const MatrixX& a, const MatrixX& b, const char* what) {
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-10 * (1 + b.cwiseAbs().maxCoeff())) << what << ", seed " << seed;
  };
  EXPECT_NEAR(link.mass, mass, 1e-11 * mass);
  near(link.mass * link.centre, first, "first moment");
  near(link.inertia - link.mass * skew(link.centre) * skew(link.centre), second, "second moment");
  near(e.translation, translation, "C_t");
  near(e.rotation, rotation, "C_r");
  near(e.mass, elastic_mass, "M_e");
  near(model.mass, elastic_mass, "mass of the model");
  near(e.position_shape[0][1], xy, "int x Phi_y");
  near(e.shape_shape[1][2], yz, "int Phi_y Phi_z");
  EXPECT_EQ(Eigen::LLT<MatrixX>(e.mass).info(), Eigen::Success) << seed;
}

int null_space(const MatrixX& stiffness) {
  const VectorX values = Eigen::SelfAdjointEigenSolver<MatrixX>(stiffness, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = values.tail<1>()[0];
  EXPECT_GT(values[0], -1e-12 * largest);
  return static_cast<int>((values.array() < 1e-11 * largest).count());
}

TEST(RandomAssumedModes, IntegralsAndStiffness) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const AssumedModesSpec spec = testing::random_assumed_modes(seed);
    expect_integrals(spec, assumed_modes_model, seed);
    // Amplitudes of different ways of deforming differ in size; scaled to unit diagonal K must be definite.
    const MatrixX k = assumed_modes_model("beam", spec).stiffness;
    const VectorX scale = k.diagonal().cwiseSqrt().cwiseInverse();
    EXPECT_EQ(null_space(scale.asDiagonal() * k * scale.asDiagonal()), 0) << seed;
  }
}

/// Rigid motions that the ends leave to a plane of bending.
int loose(BezierEnd root, BezierEnd tip) {
  const auto held = [](BezierEnd end) { return end == BezierEnd::free ? 0 : (end == BezierEnd::pinned ? 1 : 2); };
  return std::max(0, 2 - held(root) - held(tip));
}

TEST(RandomBezierBeam, IntegralsAndNullSpace) {
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const BezierBeamSpec spec = testing::random_bezier_beam(seed);
    expect_integrals(spec, bezier_beam_model, seed);
    const bool bar_held = spec.root != BezierEnd::free || spec.tip == BezierEnd::clamped;
    const int expected = loose(spec.root, spec.tip) * (spec.bends_along_y + spec.bends_along_z) +
                         (bar_held ? 0 : spec.twists + spec.stretches);
    EXPECT_EQ(null_space(bezier_beam_model("beam", spec).stiffness), expected) << seed;
  }
}

}  // namespace
}  // namespace lithe
