#include "lithe/links/static_twin.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "lithe/links/beam.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/links/truss.hpp"

namespace lithe {
namespace {

constexpr double beam_length = 0.8, EI = 12.0, EA = 3e5;

/// A beam along x that bends along y; only its whole knows that it stretches.
ElasticModel held_beam(Reference reference) {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(beam_length, 0, 0)};
  Section section;
  section.mass_per_length = 0.5;
  section.bending_y = EI;
  section.axial = EA;
  spec.stations = {{0.0, section}};
  spec.frames = {{"middle", beam_length / 2, {}}};
  return with_reference("arm", beam_model("arm", spec, {}, {.stretches = true}), reference);
}

LinkData with_modes(const ElasticModel& model, int count, const StaticChoice& choice = {}) {
  ReductionChoice reduction;
  reduction.modes.count = count;
  const Reduction kept = reduce("arm", model, reduction);
  LinkData link = reduced_link("arm", model, kept, true);
  add_static_twin(link, model, kept.basis, choice);
  return link;
}

const Frame& frame_of(const LinkData& link, const std::string& name) {
  return link.frames[link.find_frame(name)];
}

/// Turn and displacement per moment and force on a frame, the reference held.
MatrixX flexibility(const LinkData& link, const std::string& name) {
  const Frame& frame = frame_of(link, name);
  MatrixX motion(6, link.elastic.count());
  motion << frame.turn, frame.shape;
  MatrixX sum = motion * link.elastic.stiffness.fullPivLu().solve(MatrixX(motion.transpose()));
  if (frame.residual.size() > 0) sum += frame.residual;
  return sum;
}

void expect_cantilever(const MatrixX& found, double at) {
  const auto expect = [&](int i, int j, double value) { EXPECT_NEAR(found(i, j) / value, 1.0, 1e-9) << i << ' ' << j; };
  expect(2, 2, at / EI);
  expect(2, 4, at * at / (2 * EI));
  expect(4, 4, at * at * at / (3 * EI));
  expect(3, 3, at / EA);
}

// Closed forms of the cantilever under forces and moments at its tip and at its middle, with one mode kept.
TEST(StaticTwin, FlexibilityOfACantilever) {
  const LinkData link = with_modes(held_beam(Reference::clamped), 1);
  ASSERT_TRUE(link.statics);
  const LinkData twin = static_twin(link);
  expect_cantilever(flexibility(twin, "tip"), beam_length);
  expect_cantilever(flexibility(twin, "middle"), beam_length / 2);
  // The link itself neither stretches nor has more than a part of it: 12.36/12.98 at the tip (first mode of many).
  EXPECT_LT(flexibility(link, "tip")(4, 4), 0.98 * beam_length * beam_length * beam_length / (3 * EI));
  EXPECT_LT(flexibility(link, "tip")(3, 3), 1e-15);
}

// The coordinates of the link come first and mean the same; the static ones do not couple with them.
TEST(StaticTwin, KeepsTheCoordinatesOfTheLink) {
  const LinkData link = with_modes(held_beam(Reference::clamped), 2), twin = static_twin(link);
  ASSERT_GT(twin.elastic.count(), 2);
  EXPECT_EQ(twin.elastic.names[1], link.elastic.names[1]);
  EXPECT_EQ(twin.elastic.names[2], "residual 1");
  EXPECT_TRUE(twin.elastic.stiffness.topLeftCorner(2, 2).isApprox(link.elastic.stiffness, 1e-12));
  EXPECT_TRUE(twin.elastic.mass.topLeftCorner(2, 2).isApprox(link.elastic.mass, 1e-12));
  EXPECT_TRUE(frame_of(twin, "tip").shape.leftCols(2).isApprox(frame_of(link, "tip").shape, 1e-12));
  const MatrixX& K = twin.elastic.stiffness;
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) EXPECT_LT(std::abs(K(i, j)), 1e-9 * std::sqrt(K(i, i) * K(j, j)));
  EXPECT_EQ(rigid_twin(link).statics, nullptr);
}

// What a beam does is one thing, its reference another: between pins the middle moves by L^3/(48 EI) and the tip turns
// by L/(3 EI), the chord held.
TEST(StaticTwin, FlexibilityBetweenPins) {
  const LinkData twin = static_twin(with_modes(held_beam(Reference::chord), 1));
  EXPECT_NEAR(flexibility(twin, "middle")(4, 4) * 48 * EI / std::pow(beam_length, 3), 1.0, 1e-9);
  EXPECT_NEAR(flexibility(twin, "tip")(2, 2) * 3 * EI / beam_length, 1.0, 1e-9);
  EXPECT_NEAR(flexibility(twin, "tip")(3, 3) * EA / beam_length, 1.0, 1e-9);
}

/// Deflection at x of the cantilever under a unit force at s.
double green(double x, double s) { return x < s ? x * x * (3 * s - x) / (6 * EI) : s * s * (3 * x - s) / (6 * EI); }

/// Under the force per length (s - from)/(to - from) of a stretch: Simpson's rule, piecewise exact but for fourth
/// powers.
double under_ramp(double x, double from, double to) {
  const int steps = 20000;
  const double h = (to - from) / steps;
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i)
    sum += (i == 0 || i == steps ? 1
            : i % 2 == 1         ? 4
                                 : 2) *
           h / 3 * (static_cast<double>(i) / steps) * green(x, from + i * h);
  return sum;
}

// A load along a part of the axis deforms the whole axis exactly, not only the frames: nodes of finite elements stand
// where the beam equation puts them (Green's function integrated).
TEST(StaticTwin, LineLoadsHaveTheirShape) {
  const double from = 0.13 * beam_length, to = 0.71 * beam_length;
  const ElasticModel model = held_beam(Reference::clamped);
  const LinkData twin = static_twin(with_modes(model, 1, {{}, {{from, to}}}));
  VectorX load = VectorX::Zero(twin.elastic.count());
  const int steps = 400 * 8;  // of the ends of the elements and of the stretch alike, by the midpoint rule
  for (int i = 0; i < steps; ++i) {
    const double s = from + (to - from) * (i + 0.5) / steps;
    load += (to - from) / steps * (s - from) / (to - from) * twin.axis.at(s).shape.row(1).transpose();
  }
  const VectorX eta = twin.elastic.stiffness.fullPivLu().solve(load);
  for (int node = 1; node <= 8; ++node) {
    const double x = beam_length * node / 8;
    EXPECT_NEAR((twin.axis.at(x * (1 - 1e-12)).shape * eta)[1] / under_ramp(x, from, to), 1.0, 1e-6) << node;
  }
}

// Frames that nothing acts on need no coordinates: their residual flexibility says it.
TEST(StaticTwin, ResidualFlexibilityOfOtherFrames) {
  const LinkData link = with_modes(held_beam(Reference::clamped), 1, {{"tip"}, {}}), twin = static_twin(link);
  ASSERT_GT(frame_of(twin, "middle").residual.size(), 0);
  EXPECT_EQ(frame_of(twin, "tip").residual.size(), 0);
  expect_cantilever(flexibility(twin, "middle"), beam_length / 2);
  expect_cantilever(flexibility(twin, "tip"), beam_length);
  EXPECT_LT(twin.elastic.count(), static_twin(with_modes(held_beam(Reference::clamped), 1)).elastic.count());
}

// Nothing acts but at the clamped origin, which does not move: no shape is needed for that.
TEST(StaticTwin, NothingActs) {
  const LinkData twin = static_twin(with_modes(held_beam(Reference::clamped), 1, {{"origin"}, {}}));
  expect_cantilever(flexibility(twin, "middle"), beam_length / 2);
  expect_cantilever(flexibility(twin, "tip"), beam_length);
}

// Nothing is added where every coordinate is kept.
TEST(StaticTwin, NoneWhenAllIsKept) {
  BeamSpec spec;
  Section section;
  section.mass_per_length = 1.0;
  section.bending_y = EI;
  spec.stations = {{0.0, section}};
  const ElasticModel model = with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
  const Reduction all = all_coordinates(model);
  LinkData link = reduced_link("arm", model, all, true);
  add_static_twin(link, model, all.basis);
  EXPECT_EQ(link.statics, nullptr);
}

// A truss of three squares on two supports, one mode kept: a node that carries nothing, by the unit load method
// (sum of N^2 l/(EA) over the bars, forces by hand: chords 3, 2, 1 and 2, 1, 0, diagonals sqrt 2, posts 1).
TEST(StaticTwin, NodesOfATruss) {
  TrussSpec spec;
  spec.planar = true;
  for (int i = 0; i <= 3; ++i) {
    spec.nodes.push_back({"u" + std::to_string(i), Vec3(i, 1, 0), 0.1});
    spec.nodes.push_back({"l" + std::to_string(i), Vec3(i, 0, 0), 0.1});
  }
  const auto bar = [&](const std::string& a, const std::string& b) { spec.bars.push_back({"", a, b, 1e4, 0.5, 0.0}); };
  for (int i = 0; i < 3; ++i) {
    const std::string here = std::to_string(i), next = std::to_string(i + 1);
    bar("u" + here, "u" + next);
    bar("l" + here, "l" + next);
    bar("u" + here, "l" + next);
    bar("u" + next, "l" + next);
  }
  spec.supports = {{"u0", {Vec3::UnitX(), Vec3::UnitY()}}, {"l0", {Vec3::UnitX(), Vec3::UnitY()}}};
  const ElasticModel model = truss_model("boom", spec);
  ReductionChoice choice;
  choice.modes.count = 1;
  const Reduction kept = reduce("boom", model, choice);
  LinkData link = reduced_link("boom", model, kept, true);
  add_static_twin(link, model, kept.basis, {{"l3"}, {}});
  // Unit force down on u2: upper chord 2 panels with forces 1, 0 (from the load in), lower 2, 1; diagonals sqrt 2; the
  // post under it 1 and the next 1. Of the tip l3 likewise with one panel more.
  const auto panels = [](int n) {
    double sum = 0.0;
    for (int i = 1; i <= n; ++i) sum += (i - 1.0) * (i - 1.0) + i * i + 2 * std::sqrt(2.0);
    return sum;
  };
  const LinkData twin = static_twin(link);
  EXPECT_NEAR(flexibility(twin, "l3")(4, 4) * 1e4, panels(3) + 2, 1e-6);
  EXPECT_NEAR(flexibility(twin, "u2")(4, 4) * 1e4, panels(2) + 2, 1e-6);
}

}  // namespace
}  // namespace lithe
