// Beams in global shapes from model files. Expected numbers are closed forms of uniform beams, written at each test.

#include <gtest/gtest.h>

#include <cmath>

#include "io/model_text.hpp"

namespace lithe {
namespace {

const LinkData& shaped_link(const Model& model) { return model.mechanism.links[1]; }
const LinkOrigin& shaped_origin(const Model& model) { return model.origins[1]; }

// Korayem reference 3.1, 3.2: locked frequency (1.8751040687)^2 sqrt(EI/mu) / l^2 = 49.7240 rad/s.
TEST(LoadAssumedModes, ClampedFree) {
  const Model model =
      one_link("assumed-modes: {length: 1, EI: 1000, mass-per-length: 5, along-y: {ends: clamped-free, count: 3}}");
  const LinkData& link = shaped_link(model);
  EXPECT_EQ(link.elastic.names, (std::vector<std::string>{"bending y 1", "bending y 2", "bending y 3"}));
  EXPECT_NEAR(link.elastic.frequencies[0], 49.7240, 5e-5);
  EXPECT_NEAR(link.mass, 5, 1e-13);
  EXPECT_EQ(link.elastic.stiffening, Stiffening::consistent);
  EXPECT_EQ(shaped_origin(model).kind, "assumed-modes");
  EXPECT_EQ(shaped_origin(model).reference, "supported");
  EXPECT_EQ(shaped_origin(model).coordinates, 3);
}

// Amplitudes of the shapes themselves: x^2 bends with 4 EI/l^3 and weighs mu l/5.
TEST(LoadAssumedModes, PolynomialAmplitudes) {
  const Model model = one_link(
      "assumed-modes: {length: 2, EI: 3, mass: 8, along-z: {polynomials: [[0, 0, 1]]}, direction: y, section-y: z}, "
      "modes: {all: true}, frames: {half: 1, hook: {along: 2, offset: [0, 0, 0.1]}}");
  const LinkData& link = shaped_link(model);
  ASSERT_EQ(link.elastic.count(), 1);
  EXPECT_NEAR(link.elastic.stiffness(0, 0), 4 * 3.0 / 8, 1e-12);
  EXPECT_NEAR(link.elastic.mass(0, 0), 8.0 / 5, 1e-12);
  // The axis is y, the section's y is z of the link, so its z is x of the link.
  const Frame& half = link.frames[link.find_frame("half")];
  EXPECT_LT((half.pose.position - Vec3(0, 1, 0)).norm(), 1e-14);
  EXPECT_LT((half.shape - Vec3(0.25, 0, 0)).norm(), 1e-14);
  EXPECT_GE(link.find_frame("hook"), 0);
}

// Bending of a payload much heavier than the beam: sqrt(3 EI/(m l^3)); torsion sqrt(GJ/(J l)).
TEST(LoadAssumedModes, Payload) {
  const Model bending = one_link(
      "assumed-modes: {length: 1, EI: 6, mass: 1e-4, masses: [{at: tip, mass: 2}], along-y: {ends: clamped-payload, "
      "count: 1}}");
  EXPECT_NEAR(shaped_link(bending).elastic.frequencies[0], std::sqrt(3 * 6 / 2.0), 1e-4);
  const Model torsion = one_link(
      "assumed-modes: {length: 1, GJ: 5, mass: 1e-4, polar-inertia: 1e-8, masses: [{at: tip, mass: 2, inertia: [0.2, "
      "0.2, 0.2]}], torsion: {ends: fixed-payload, count: 1}}");
  EXPECT_NEAR(shaped_link(torsion).elastic.frequencies[0], std::sqrt(5 / 0.2), 1e-4);
  EXPECT_EQ(shaped_link(torsion).elastic.names[0], "torsion 1");
}

// Clamped-free Euler-Bernoulli beam from above: 3.51601527 and 22.0344916.
TEST(LoadBezier, ClampedByDefault) {
  const Model model = one_link("bezier: {length: 1, EI: 1, mass: 1, degree: 7}");
  const LinkData& link = shaped_link(model);
  EXPECT_NEAR(link.elastic.frequencies[0] / 3.51601527, 1, 1e-7);
  EXPECT_NEAR(link.elastic.frequencies[1] / 22.0344916, 1, 1e-4);
  EXPECT_EQ(link.elastic.names[1], "bending y 2");
  EXPECT_EQ(shaped_origin(model).kind, "bezier");
  EXPECT_EQ(shaped_origin(model).coordinates, 6);
}

// A free beam takes its reference from `modes`, as a beam of finite elements does: pinned ends, pi^2.
TEST(LoadBezier, FreeEndsTakeTheReferenceOfModes) {
  const Model model =
      one_link("bezier: {length: 1, EI: 1, mass: 1, degree: 8, root: free}, modes: {count: 1, root: chord}");
  EXPECT_NEAR(shaped_link(model).elastic.frequencies[0] / (pi * pi), 1, 1e-5);
  EXPECT_EQ(shaped_origin(model).reference, "chord");
}

TEST(LoadBezier, DegreeIsAnExpression) {
  const Model model = one_link("bezier: {length: 1, EI: 1, mass: 1, degree: n + 1}", "parameters: {n: 4}\n");
  EXPECT_EQ(shaped_origin(model).coordinates, 4);
}

}  // namespace
}  // namespace lithe
