// Random elastic links: the constants that the engine gets are those of the body (issue: rigid-body invariants,
// definite matrices, integrals against an independent quadrature, turning of the whole).
#include "properties/link_properties.hpp"

#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>

#include "support/random_ritz_beam.hpp"
#include "support/random_truss.hpp"

namespace lithe::testing {
namespace {

using Seed = std::uint32_t;

/// A rotation that depends on the seed alone.
Mat3 some_rotation(Seed seed) {
  const double a = seed % 628 / 100.0;
  return (Eigen::AngleAxisd(a, Vec3(1, -0.4, 0.7).normalized()) * Eigen::AngleAxisd(1.3 * a, Vec3::UnitY()))
      .toRotationMatrix();
}

bool deforms_in_all_ways(const BeamSpec& spec) {
  return spec.bends_along_y && spec.bends_along_z && spec.twists && spec.stretches;
}

/// Rigid motions that a straight beam with some ways of deforming can make, or all of a full one.
Eigen::Index expected_rigid(const BeamSpec& spec) {
  if (deforms_in_all_ways(spec)) return 6;
  return (spec.stretches ? 1 : 0) + (spec.twists ? 1 : 0) + (spec.bends_along_y ? 2 : 0) + (spec.bends_along_z ? 2 : 0);
}

/// Lumps off the axis couple ways of deforming, so a beam that lacks one cannot follow a rotation exactly.
void put_lumps_on_the_axis(BeamSpec& spec) {
  for (BeamMass& lump : spec.masses) lump.offset.setZero();
}

RC_GTEST_PROP(LinkProperties, BeamIntegralsEqualQuadrature, (Seed seed)) {
  const BeamSpec spec = random_beam(seed);
  expect_sampled_integrals(unreduced(beam_model("beam", spec, {})), samples(spec), 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(LinkProperties, BeamForeshorteningEqualsQuadrature, (Seed seed)) {
  const BeamSpec spec = random_beam(seed);
  const ElasticModel model = beam_model("beam", spec, {});
  const LinkData link = integrate_link("beam", model, MatrixX::Identity(model.mass.rows(), model.mass.rows()), true);
  expect_sampled_foreshortening(link, samples(spec), 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(LinkProperties, BeamMatricesAreDefinite, (Seed seed)) {
  BeamSpec spec = random_beam(seed);
  if (!deforms_in_all_ways(spec)) put_lumps_on_the_axis(spec);
  const ElasticModel model = beam_model("beam", spec, {});
  RC_ASSERT(detail::rigid_motions(model).cols() == expected_rigid(spec));
  expect_definite(unreduced(model), expected_rigid(spec));
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(LinkProperties, BeamRigidInvariants, (Seed seed)) {
  BeamSpec spec = random_beam(seed);
  spec.bends_along_y = spec.bends_along_z = spec.twists = spec.stretches = true;
  expect_rigid_invariants(beam_model("beam", spec, {}), 1, 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(LinkProperties, BeamTurnsAsAWhole, (Seed seed)) {
  const Mat3 R = some_rotation(seed);
  expect_turned(unreduced(beam_model("beam", random_beam(seed, R), {})),
                unreduced(beam_model("beam", random_beam(seed), {})), R, 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

std::vector<ImportedFrame> block_frames() { return {{"root", {100, 101, 102, 103}, Mat3::Identity()}}; }

RC_GTEST_PROP(LinkProperties, ImportedIntegralsEqualQuadrature, (Seed seed)) {
  const ElasticModel model = imported_model("block", random_block(seed), block_frames());
  expect_sampled_integrals(unreduced(model), block_samples(seed), 1e-10);
  expect_definite(unreduced(model), 6);
  expect_rigid_invariants(model, 1, 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(LinkProperties, ImportedTurnsAsAWhole, (Seed seed)) {
  // The coordinates of an imported part are along the link axes: those of the turned one are R times the others.
  const Mat3 R = some_rotation(seed);
  const ElasticModel model = imported_model("block", random_block(seed), block_frames());
  const ElasticModel turned = imported_model("block", random_block(seed, R), block_frames());
  const Eigen::Index n = model.mass.rows();
  MatrixX turns = MatrixX::Zero(n, n);
  for (Eigen::Index i = 0; i < n; i += 3) turns.block<3, 3>(i, i) = R;
  expect_turned(integrate_link("block", turned, turns, false), unreduced(model), R, 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

/// A floating truss: planar or in space, consistent or lumped.
TrussSpec floating_truss(Seed seed, bool planar) {
  return random_truss({seed, 4 + static_cast<int>(seed % 4), static_cast<int>(seed % 3), planar, false, seed % 2 == 0});
}

/// Three Gauss points along every bar (its ends when lumped), moving as the nodes do, and the masses on the nodes.
std::vector<MassSample> truss_samples(const TrussSpec& spec, const LinkData& link) {
  constexpr double at[3] = {0.1127016653792583, 0.5, 0.8872983346207417}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const auto node = [&](const std::string& name) -> const Frame& {
    return link.frames[link.find_frame(name)];
  };
  std::vector<MassSample> all;
  const auto add = [&](double mass, const Frame& a, const Frame& b, double way) {
    const MatrixX still = MatrixX::Zero(3, link.elastic.count());
    all.push_back({mass,
                   (1 - way) * a.pose.position + way * b.pose.position,
                   (1 - way) * a.shape + way * b.shape,
                   still,
                   Mat3::Zero(),
                   {}});
  };
  for (const TrussBar& bar : spec.bars) {
    const Frame &a = node(bar.from), &b = node(bar.to);
    const double mass = bar.mass_per_length * (b.pose.position - a.pose.position).norm();
    if (spec.mass == TrussMass::lumped) {
      add(mass / 2, a, b, 0.0);
      add(mass / 2, a, b, 1.0);
    } else {
      for (int g = 0; g < 3; ++g) add(weight[g] * mass, a, b, at[g]);
    }
  }
  for (const TrussNode& each : spec.nodes) add(each.mass, node(each.name), node(each.name), 0.0);
  return all;
}

RC_GTEST_PROP(LinkProperties, TrussIntegralsAndMatrices, (Seed seed, bool planar)) {
  const TrussSpec spec = floating_truss(seed, planar);
  const ElasticModel model = truss_model("truss", spec);
  const LinkData link = unreduced(model);
  expect_sampled_integrals(link, truss_samples(spec, link), 1e-10);
  expect_definite(link, planar ? 3 : 6);
  if (!planar) expect_rigid_invariants(model, static_cast<std::size_t>(link.find_frame("root")), 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

StraightBeam turned_beam(StraightBeam beam, const Mat3& R) {
  beam.direction = (R * beam.direction).eval();
  beam.section_y = (R * beam.section_y).eval();
  for (BeamMass& lump : beam.masses) {
    lump.offset = (R * lump.offset).eval();
    lump.inertia = (R * lump.inertia * R.transpose()).eval();
  }
  for (BeamFrame& frame : beam.frames) frame.offset.position = (R * frame.offset.position).eval();
  return beam;
}

RC_GTEST_PROP(LinkProperties, BeamsInGlobalShapesTurnAsAWhole, (Seed seed)) {
  const Mat3 R = some_rotation(seed);
  AssumedModesSpec modes = random_assumed_modes(seed);
  const LinkData assumed = unreduced(assumed_modes_model("beam", modes));
  modes.beam = turned_beam(modes.beam, R);
  expect_turned(unreduced(assumed_modes_model("beam", modes)), assumed, R, 1e-10);
  BezierBeamSpec spline = random_bezier_beam(seed);
  const LinkData bezier = unreduced(bezier_beam_model("beam", spline));
  spline.beam = turned_beam(spline.beam, R);
  expect_turned(unreduced(bezier_beam_model("beam", spline)), bezier, R, 1e-10);
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace lithe::testing
