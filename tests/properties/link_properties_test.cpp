// Random elastic links: the constants that the engine gets are those of the body (issue: rigid-body invariants,
// definite matrices, integrals against an independent quadrature, turning of the whole).
#include "properties/link_properties.hpp"

#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>

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

}  // namespace
}  // namespace lithe::testing
