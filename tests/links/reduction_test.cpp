#include "lithe/links/reduction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "lithe/links/eigenproblem.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

using testing::full_beam;
using testing::uniform_beam;

ElasticModel clamped_beam(const BeamSpec& spec) {
  return with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
}

const Frame& tip_of(const LinkData& link) { return link.frames[link.find_frame("tip")]; }

/// Tip displacement along y under a unit force there.
double tip_compliance(const LinkData& link) {
  const VectorX force = tip_of(link).shape.row(1).transpose();
  return force.dot(link.elastic.stiffness.ldlt().solve(force));
}

void expect_modal(const LinkData& link) {
  const int n = link.elastic.count();
  EXPECT_LT((link.elastic.mass - MatrixX::Identity(n, n)).norm(), 1e-9);
  const VectorX squares = link.elastic.frequencies.cwiseAbs2();
  EXPECT_LT((link.elastic.stiffness - MatrixX(squares.asDiagonal())).norm(), 1e-9 * squares.maxCoeff());
}

// The dense solver and shift-invert Lanczos find the same modes.
TEST(Reduction, DenseAndSparseModesAgree) {
  for (const BeamSpec& spec : {uniform_beam(1, 1, 1, 60, false), full_beam(Vec3(0.8, 0.3, -0.2), 30)}) {
    const ElasticModel model = clamped_beam(spec);
    const auto dense = detail::lowest_modes(model.stiffness, model.mass, 8, detail::EigenMethod::dense);
    const auto sparse = detail::lowest_modes(model.stiffness, model.mass, 8, detail::EigenMethod::sparse);
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(std::sqrt(sparse.squares[i] / dense.squares[i]), 1.0, 1e-9) << i;
    // The spaces of pairs of equal frequency are compared, not their members: |P_dense x| = |x| in the mass norm.
    const MatrixX overlap = dense.shapes.transpose() * model.mass * sparse.shapes;
    EXPECT_LT((overlap.transpose() * overlap - MatrixX::Identity(8, 8)).norm(), 1e-9);
  }
}

// By size the large model goes to Lanczos, and the modes of a tube are the closed-form ones: both bending planes alike.
TEST(Reduction, LargeModelUsesLanczosAndSeparatesThePlanes) {
  const ElasticModel model = clamped_beam(uniform_beam(1, 1, 1, 110, true));
  ASSERT_GT(model.mass.rows(), detail::sparse_threshold);
  const Reduction modes = link_modes("arm", model, {{}, 3, 0});
  EXPECT_NEAR(modes.frequencies[0], 3.5160152685, 1e-6);
  EXPECT_NEAR(modes.frequencies[1], 3.5160152685, 1e-6);
  EXPECT_NEAR(modes.frequencies[2], 22.0344915647, 1e-5);
  EXPECT_EQ(modes.names, (std::vector<std::string>{"bending y 1", "bending z 1", "bending y 2"}));
  const Frame tip = model.field->frames(modes.basis, false)[2];
  EXPECT_LT(std::abs(tip.shape(2, 0)), 1e-9);
  EXPECT_LT(std::abs(tip.shape(1, 1)), 1e-9);
  EXPECT_NEAR(tip.shape(1, 0), 2.0, 1e-5);  // mass-normalised cantilever mode: twice the root of 1/(mu L) at the tip
}

// Choice by frequency and by list; cantilever with mu = L = EI = 1: 0.5596, 3.5069, 9.8194 Hz.
TEST(Reduction, ChoiceByFrequencyAndList) {
  for (const int elements : {12, 210}) {
    const ElasticModel model = clamped_beam(uniform_beam(1, 1, 1, elements));
    EXPECT_EQ(reduce("arm", model, {{{}, 0, 4.0}, false, {}, {}}).frequencies.size(), 2);
    const Reduction listed = reduce("arm", model, {{{3, 1}, 0, 0}, false, {}, {}});
    EXPECT_NEAR(listed.frequencies[0], 61.6972144, 0.02);
    EXPECT_NEAR(listed.frequencies[1], 3.5160153, 1e-4);
  }
}

// Craig-Bampton with the tip as interface and no inner modes: static stiffness of the tip exact (L^3/(3 EI)), first
// frequency from above.
TEST(Reduction, CraigBamptonIsExactForTipLoads) {
  const double L = 1.7, EI = 5;
  const ElasticModel model = clamped_beam(uniform_beam(L, EI, 0.9, 10));
  const double exact = 3.5160152685 / (L * L) * std::sqrt(EI / 0.9);
  double before = 1e9;
  for (const int inner : {0, 1, 3, 18}) {
    const LinkData link = reduced_link("arm", model, reduce("arm", model, {{{}, inner, 0}, false, {"tip"}, {}}), false);
    EXPECT_EQ(link.elastic.count(), 2 + inner);
    expect_modal(link);
    EXPECT_NEAR(tip_compliance(link) / (L * L * L / (3 * EI)), 1.0, 1e-10);
    EXPECT_GT(link.elastic.frequencies[0], exact * (1 - 1e-9));
    EXPECT_LT(link.elastic.frequencies[0], before);
    before = link.elastic.frequencies[0];
  }
  // With all inner modes nothing is left out: the frequency of the finite-element model itself.
  EXPECT_NEAR(before / link_modes("arm", model, {{}, 1, 0}).frequencies[0], 1.0, 1e-9);
}

// Interfaces anywhere, also between nodes, in space.
TEST(Reduction, CraigBamptonInSpace) {
  BeamSpec spec = full_beam(Vec3(0, 1.2, 0.5), 5);
  spec.frames.push_back({"hinge", 0.57, {Mat3::Identity(), Vec3(0.05, 0, 0)}});
  const ElasticModel model = with_reference("arm", beam_model("arm", spec, {}), Reference::chord);
  const LinkData link =
      reduced_link("arm", model, reduce("arm", model, {{{}, 2, 0}, false, {"tip", "hinge"}, {}}), false);
  EXPECT_EQ(link.elastic.count(), 4 + 6 + 2);  // the chord leaves the tip one displacement and three rotations
  expect_modal(link);
  // Any load at the hinge gives the same displacement there as the full model.
  const LinkData full = integrate_link("arm", model, all_coordinates(model).basis, false);
  const auto compliance = [](const LinkData& l) -> MatrixX {
    const Frame& hinge = l.frames[l.find_frame("hinge")];
    MatrixX rows(6, l.elastic.count());
    rows << hinge.shape, hinge.turn;
    return rows * l.elastic.stiffness.ldlt().solve(MatrixX(rows.transpose()));
  };
  EXPECT_LT((compliance(link) - compliance(full)).norm(), 1e-9 * compliance(full).norm());
}

// Static correction: two modes alone miss part of the tip compliance (sum of tip^2/w^2 over the left-out modes); with
// the attachment shapes it is exact, and the modes stay what they were.
TEST(Reduction, AttachmentShapesMakeTheTipExact) {
  const ElasticModel model = clamped_beam(uniform_beam(1, 1, 1, 24));
  const LinkData two = reduced_link("arm", model, reduce("arm", model, {{{}, 2, 0}, false, {}, {}}), false);
  const LinkData corrected = reduced_link("arm", model, reduce("arm", model, {{{}, 2, 0}, false, {}, {"tip"}}), false);
  // Cantilever modes have the tip value 2, so two of them give 4/3.51602^2 + 4/22.0345^2.
  EXPECT_NEAR(tip_compliance(two), 4 / std::pow(3.5160153, 2) + 4 / std::pow(22.0344916, 2), 1e-6);
  EXPECT_NEAR(tip_compliance(corrected), 1.0 / 3.0, 1e-11);
  EXPECT_EQ(corrected.elastic.names, (std::vector<std::string>{"bending y 1", "bending y 2", "static 1", "static 2"}));
  EXPECT_LT((corrected.elastic.frequencies.head<2>() - two.elastic.frequencies).norm(), 1e-12);
  expect_modal(corrected);
  // No shape twice: the same frame named again brings nothing.
  EXPECT_EQ(reduce("arm", model, {{{}, 2, 0}, false, {}, {"tip", "tip"}}).frequencies.size(), 4);
  // A frame that stands still takes none.
  EXPECT_EQ(reduce("arm", model, {{{}, 2, 0}, false, {}, {"root"}}).frequencies.size(), 2);
  // Static shapes alone.
  EXPECT_EQ(reduce("arm", model, {{}, false, {}, {"tip"}}).frequencies.size(), 2);
}

// A free link under a load at one end: attachment shapes in mean axes are inertia-relief shapes. Free-free modes have
// the end value 2, so the elastic compliance at the end is the sum of 4/x_i^4 over the roots of cos x cosh x = 1. As 1
// - cos x cosh x = x^4/6 (1 - 6 x^4/2520 + ...), the sum of 1/x_i^4 is 1/420 and the compliance L^3/(105 EI).
TEST(Reduction, AttachmentShapesOfAFreeLinkAreInertiaRelief) {
  const ElasticModel model = with_reference("arm", beam_model("arm", uniform_beam(1, 1, 1, 24), {}), Reference::free);
  const LinkData link = reduced_link("arm", model, reduce("arm", model, {{{}, 1, 0}, false, {}, {"tip"}}), false);
  EXPECT_NEAR(tip_compliance(link), 1.0 / 105.0, 1e-6);
}

TEST(Reduction, AllCoordinatesKeepTheirNames) {
  const ElasticModel model = clamped_beam(uniform_beam(1, 1, 1, 2));
  const Reduction all = reduce("arm", model, {{}, true, {}, {}});
  EXPECT_EQ(all.names, (std::vector<std::string>{"node 1 y", "node 1 about z", "node 2 y", "node 2 about z"}));
}

TEST(Reduction, BadInputIsRefused) {
  const ElasticModel model = clamped_beam(uniform_beam(1, 1, 1, 2));
  const auto complaint = [&](const ReductionChoice& choice) -> std::string {
    try {
      reduce("arm", model, choice);
    } catch (const MechanismError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({{{}, 3, 0}, true, {}, {}}),
            "link 'arm': all coordinates are kept, so there is nothing to choose; leave out the modes or 'all'");
  EXPECT_EQ(complaint({{{}, 5, 0}, false, {}, {}}),
            "link 'arm': mode 5 is asked for, but its finite elements have only 4; use more elements or fewer modes");
  EXPECT_EQ(complaint({{{}, 3, 0}, false, {"tip"}, {}}),
            "link 'arm': mode 3 is asked for, but its finite elements have only 2; use more elements or fewer modes");
  EXPECT_EQ(complaint({{}, false, {"top"}, {}}), "link 'arm' has no frame 'top'; its frames are origin, root, tip");
  EXPECT_EQ(complaint({{}, false, {"root"}, {}}),
            "link 'arm': its interface frames do not move with the deformation; name other frames");
  EXPECT_EQ(complaint({{}, false, {}, {"root"}}),
            "link 'arm': its loaded frames do not move with the deformation; name other frames");
}

}  // namespace
}  // namespace lithe
