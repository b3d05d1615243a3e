#include "lithe/kinematics/small_bending.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {
namespace {

Model arm(const std::string& beam, const std::string& rest = "modes: {count: 1}") {
  return load_model_text("lithe: 1\nlinks:\n  arm: {beam: {length: 2, EI: 5, mass: 1, elements: 8" + beam + "}, " +
                             rest + "}\njoints:\n  motor: {revolute: z, from: ground, to: arm/root, actuated: true}\n",
                         "arm.yaml");
}

/// Elastic coordinate of a link with one mode that moves its tip by `deflection` (m).
VectorX bent(const Plan& plan, double deflection) {
  const LinkData& link = plan.mechanism().links[1];
  const Frame& tip = link.frames[link.find_frame("tip")];
  VectorX q = plan.neutral();
  q[plan.elastic_places()[1].q] = deflection / tip.shape(1, 0);
  return q;
}

// First mode of a clamped beam: the largest deflection and the largest slope are at the tip; their ratio from
// phi = cosh - cos - sigma (sinh - sin).
TEST(SmallBending, FirstModeOfAClampedBeam) {
  const Model model = arm("");
  const Plan plan(model.mechanism);
  const double b = 1.875104068711961, c = std::cos(b), s = std::sin(b), ch = std::cosh(b), sh = std::sinh(b);
  const double sigma = (ch + c) / (sh + s);
  const double ratio = b * (sh + s - sigma * (ch - c)) / (ch - c - sigma * (sh - s));  // phi'(L) L / phi(L)
  const std::vector<LinkBending> found = bending_of(plan, bent(plan, 0.1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].link, 1);
  EXPECT_NEAR(found[0].deflection, 0.05, 1e-6);
  EXPECT_NEAR(found[0].slope, 0.05 * ratio, 1e-5);  // eight finite elements
  EXPECT_EQ(found[0].measure(), found[0].slope);
  EXPECT_EQ(describe(plan, found[0]), "");
}

TEST(SmallBending, SentencesNameTheRemedy) {
  const Model model = arm("");
  const Plan plan(model.mechanism);
  EXPECT_EQ(describe(plan, bending_of(plan, bent(plan, 0.2))[0]),
            "link 'arm' bends by 0.1 of its length with slopes up to 0.14 rad: beyond a tenth the theory of small "
            "bending is inexact; split it into pieces that each bend a little, segments: 3");
  const LinkBending far = bending_of(plan, bent(plan, 2.0))[0];
  EXPECT_GT(far.pieces, 10);
  EXPECT_EQ(
      describe(plan, far),
      "link 'arm' bends by 1 of its length with slopes up to 1.4 rad: beyond one half the theory of small bending "
      "means nothing; split it into pieces that each bend a little, segments: " +
          std::to_string(far.pieces));
}

// Four pieces that each bend as much as the whole above: it takes four times as many.
TEST(SmallBending, PiecesOfASegmentedBeam) {
  const Model model = arm(", segments: 4", "damping: {ratio: 0}");
  const Plan plan(model.mechanism);
  VectorX q = plan.neutral();
  const LinkData& link = plan.mechanism().links[2];
  const Frame& tip = link.frames[link.find_frame("tip")];
  const ElasticPlace& place = plan.elastic_places()[2];
  // The second piece bends like a cantilever under a tip force: slope 1.5 of deflection over length.
  MatrixX conditions(2, place.count);
  conditions << tip.shape.row(1), tip.turn.row(2);
  q.segment(place.q, place.count) = conditions.colPivHouseholderQr().solve(Eigen::Vector2d(0.05, 0.15));
  const std::vector<LinkBending> pieces = worst_pieces(plan, bending_of(plan, q));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].link, 2);
  EXPECT_NEAR(pieces[0].deflection, 0.1, 1e-9);
  EXPECT_NEAR(pieces[0].slope, 0.15, 1e-9);
  EXPECT_EQ(describe(plan, pieces[0], true),
            "a piece of link 'arm' (2 of 4) bends by 0.1 of its length with slopes up to 0.15 rad at t = 0 s: beyond a "
            "tenth the theory of small bending is inexact; split it into pieces that each bend a little, segments: 12");
}

// The worst of a motion stays, with its time.
TEST(SmallBending, AWatchKeepsTheWorst) {
  const Model model = arm("");
  const Plan plan(model.mechanism);
  BendingWatch watch(plan);
  watch.look(bent(plan, 0.1), 1.0);
  watch.look(bent(plan, -0.3), 2.0);
  watch.look(bent(plan, 0.2), 3.0);
  EXPECT_EQ(watch.worst()[0].t, 2.0);
  EXPECT_NEAR(watch.worst()[0].deflection, 0.15, 1e-6);
  VectorX broken = bent(plan, 1.0);
  broken[plan.elastic_places()[1].q] = std::numeric_limits<double>::quiet_NaN();
  watch.look(broken, 4.0);
  EXPECT_FALSE(watch.worst()[0].measure() <= bending_beyond_trust);
}

}  // namespace
}  // namespace lithe
