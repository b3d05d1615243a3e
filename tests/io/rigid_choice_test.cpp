// `modes: {count: 0}`: an elastic link that is taken as rigid.

#include <gtest/gtest.h>

#include "io/model_text.hpp"

namespace lithe {
namespace {

std::string beam_and_truss(const std::string& modes) {
  return R"(
materials: {steel: {density: 7800, young: 210e9}}
links:
  arm: {beam: {length: 2, mass: 3, EI: 50}, damping: {ratio: 0.1}, modes: )" +
         modes + R"(}
  frame:
    truss:
      nodes: {a: [0, 0], b: [1, 0], c: [0.5, 1]}
      bars: [[a, b, c, a]]
      material: steel
      area: 1e-4
      supports: {a: fixed, b: y}
    modes: )" +
         modes + R"(
joints:
  j: {revolute: z, from: ground, to: arm/root}
  k: {revolute: z, from: arm/tip, to: frame/a}
)";
}

TEST(RigidChoice, ALinkWithoutModesIsItsRigidTwin) {
  const Model rigid = load(beam_and_truss("{count: 0}")), elastic = load(beam_and_truss("{count: 1}"));
  for (int link = 1; link <= 2; ++link) {
    const LinkData &ours = rigid.mechanism.links[link], &bends = elastic.mechanism.links[link];
    const LinkData twin = rigid_twin(bends);
    EXPECT_EQ(ours.elastic.count(), 0);
    EXPECT_EQ(bends.elastic.count(), 1);
    EXPECT_FALSE(ours.statics);
    EXPECT_NEAR(ours.mass, twin.mass, 1e-12);
    EXPECT_LT((ours.centre - twin.centre).norm(), 1e-12);
    EXPECT_LT((ours.inertia - twin.inertia).norm(), 1e-12);
    ASSERT_EQ(ours.frames.size(), twin.frames.size());
    for (std::size_t i = 0; i < ours.frames.size(); ++i) {
      EXPECT_EQ(ours.frames[i].name, twin.frames[i].name);
      EXPECT_EQ(ours.frames[i].pose.position, twin.frames[i].pose.position);
      EXPECT_EQ(ours.frames[i].shape.cols(), twin.frames[i].shape.cols());
    }
  }
}

// A parameter may decide it.
TEST(RigidChoice, TheNumberMayBeAParameter) {
  const std::string text = "parameters: {kept: 2}" + beam_and_truss("{count: kept}");
  EXPECT_EQ(load(text).mechanism.links[1].elastic.count(), 2);
  EXPECT_EQ(load(text, {{"kept", "0"}}).mechanism.links[1].elastic.count(), 0);
}

// Static shapes beside no modes are shapes all the same.
TEST(RigidChoice, InterfacesAreKeptBesideNoModes) {
  const Model model = one_link("beam: {length: 1, mass: 1, EI: 1}, modes: {count: 0, interfaces: [tip]}");
  EXPECT_EQ(model.mechanism.links[1].elastic.count(), 2);  // deflection and slope of the tip
}

}  // namespace
}  // namespace lithe
