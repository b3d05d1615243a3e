// Loads along links from model files: where they lie and what they say.

#include <gtest/gtest.h>

#include "lithe/io/load_model.hpp"

namespace lithe {
namespace {

Model with_loads(const std::string& loads) {
  return load_model_text(
      "lithe: 1\n"
      "parameters: {tip: 0.1, half: 0.5}\n"
      "links:\n"
      "  boom: {beam: {length: 2, EI: 100, mass: 1}, frames: {middle: 1, beside: {along: 1.5, offset: [0, 0.2]}}}\n"
      "  chain: {beam: {length: 3, EI: 100, mass: 1, segments: 3}, frames: {hook: 2.5}}\n"
      "  plate: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {left: [0, 1], right: [0, -1, 2]}}\n"
      "joints:\n"
      "  motor: {revolute: z, from: ground, to: boom/root, actuated: true}\n"
      "  elbow: {revolute: z, from: boom/tip, to: plate/left}\n"
      "  swing: {revolute: z, from: ground, to: chain}\n"
      "loads:\n" +
          loads,
      "loads.yaml");
}

const AxisStretch& stretch(const LineLoad& load, std::size_t part = 0) {
  return std::get<AxisStretch>(load.parts.at(part).line);
}

TEST(LoadLineLoads, OnABeam) {
  const Model model = with_loads(
      "  all: {along: boom, force: [1, 2*t]}\n"
      "  part: {along: boom, from: half/2, to: beside, force: [0, 0], end: [0, 3, sin(t)], axes: link}\n"
      "  frame-before-parameter: {along: boom, from: middle, to: tip, force: [0, 1]}\n");
  const std::vector<LineLoad>& loads = model.mechanism.line_loads;
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_TRUE(model.mechanism.loads.empty());
  EXPECT_EQ(loads[0].name, "all");
  EXPECT_EQ(loads[0].parts.at(0).link, 1);
  EXPECT_EQ(stretch(loads[0]).from, 0.0);
  EXPECT_DOUBLE_EQ(stretch(loads[0]).to, 2.0);
  EXPECT_FALSE(loads[0].in_link_axes);
  EXPECT_TRUE(model.line_loads[0].uniform);
  EXPECT_EQ(model.line_loads[0].force[1].at(1.5).value, 3.0);
  EXPECT_DOUBLE_EQ(stretch(loads[1]).from, 0.25);
  EXPECT_DOUBLE_EQ(stretch(loads[1]).to, 1.5);
  EXPECT_TRUE(loads[1].in_link_axes);
  EXPECT_FALSE(model.line_loads[1].uniform);
  EXPECT_EQ(model.line_loads[1].end[1].at(0.0).value, 3.0);
  EXPECT_DOUBLE_EQ(stretch(loads[2]).from, 1.0);
  EXPECT_DOUBLE_EQ(stretch(loads[2]).to, 2.0);
}

TEST(LoadLineLoads, OnSegments) {
  const Model model = with_loads(
      "  all: {along: chain, force: [0, 1]}\n"
      "  part: {along: chain, from: 1, to: hook, force: [0, 1]}\n");
  const LineLoad &all = model.mechanism.line_loads[0], &part = model.mechanism.line_loads[1];
  ASSERT_EQ(all.parts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(model.mechanism.links[all.parts[i].link].name,
              "chain." + std::to_string(i + 1));
    EXPECT_EQ(stretch(all, i).from, 0.0);
    EXPECT_NEAR(stretch(all, i).to, 1.0, 1e-15);
  }
  ASSERT_EQ(part.parts.size(), 2u);  // it only touches the first piece
  EXPECT_EQ(model.mechanism.links[part.parts[0].link].name, "chain.2");
  EXPECT_NEAR(stretch(part, 1).to, 0.5, 1e-15);
}

TEST(LoadLineLoads, OnARigidLink) {
  const Model model = with_loads("  snow: {along: plate, from: left, to: right, force: [0, -1]}\n");
  const auto& line = std::get<StraightLine>(model.mechanism.line_loads[0].parts.at(0).line);
  EXPECT_EQ(line.from, Vec3(0, 1, 0));
  EXPECT_EQ(line.to, Vec3(0, -1, 2));
}

}  // namespace
}  // namespace lithe
