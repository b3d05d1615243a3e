// Reductions of maps: by hand from a map that is written down, and of an arm of two links, whose workspace is a ring.

#include "lithe/study/map_outputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formula_study.hpp"
#include "lithe/io/load_model.hpp"

namespace lithe {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Output map_output(const std::string& name, const std::string& column, const std::string& take = "") {
  Output output;
  output.name = name;
  output.kind = OutputKind::map;
  output.of = column;
  output.what = take;
  return output;
}

TEST(MapOutputs, ReduceThePointsThatHaveANumber) {
  WorkspaceMap map;
  map.columns = {{"sag", "m"}, {"frequency.1", "Hz"}};
  map.points = {MapPoint::reached, MapPoint::reached, MapPoint::no_rest, MapPoint::unreachable, MapPoint::stopped};
  map.values = {3, 10, -1, 20, nan, nan, nan, nan, nan, nan};
  const auto reduced = [&](const Output& output) { return detail::reduce_map(output, map); };
  EXPECT_EQ(reduced(map_output("a", "reached")), 0.6);  // three of five are reached
  EXPECT_EQ(reduced(map_output("a", "sag", "max")), 3);
  EXPECT_EQ(reduced(map_output("a", "sag", "min")), -1);
  EXPECT_EQ(reduced(map_output("a", "frequency.1", "mean")), 15);
  Output share = map_output("a", "frequency.1", "share");
  share.above = 20;
  EXPECT_EQ(reduced(share), 0.2);  // one of five, the end of the range included
  share.above = 5;
  share.below = 15;
  EXPECT_EQ(reduced(share), 0.2);
  map.values.assign(10, nan);
  EXPECT_TRUE(std::isnan(reduced(map_output("a", "sag", "max"))));
  EXPECT_EQ(reduced(share), 0);
}

/// Upper arm of half a metre, a forearm whose length is the axis of the study.
struct Arm {
  static constexpr double upper = 0.5;
  static Model of(double forearm) {
    return load_model_text(R"(
lithe: 1
parameters: {forearm: 0.3}
links:
  upper: {rod: {from: [0, 0], to: [0.5, 0], mass: 1}, frames: {tip: [0.5, 0]}}
  lower: {rod: {from: [0, 0], to: [forearm, 0], mass: 1}, frames: {tip: [forearm, 0]}}
joints:
  a: {revolute: z, from: ground, to: upper, actuated: true}
  b: {revolute: z, from: upper/tip, to: lower, actuated: true}
initial: {a: 0.3, b: 1.2}
)",
                           "arm.yaml", {{"forearm", std::to_string(forearm)}});
  }
};

Study arm_study(std::vector<Output> outputs) {
  Study study;
  study.axes = {testing::uniform_axis("forearm", 0.2, 0.4)};
  study.map = MapOptions{};
  study.map->axes = {{"pos.lower.tip.x", -0.9, 0.9, 11}, {"pos.lower.tip.y", -0.9, 0.9, 11}};
  study.outputs = std::move(outputs);
  return study;
}

TEST(MapOutputs, OfAnArmAreThoseOfItsRing) {
  Study study =
      arm_study({map_output("reach", "reached"), map_output("best", "manipulability", "max"),
                 map_output("mean", "manipulability", "mean"), map_output("good", "manipulability", "share")});
  study.outputs[3].above = 0.1;
  const StudyEvaluator evaluator(study, [](const std::vector<double>& values) { return Arm::of(values[0]); });
  for (const double forearm : {0.25, 0.35}) {
    // |det J| = l1 l2 |sin q2| with cos q2 = (r^2 - l1^2 - l2^2) / (2 l1 l2): no such angle, not in the ring.
    double reached = 0, best = 0, sum = 0, good = 0;
    for (int i = 0; i < 11; ++i)
      for (int j = 0; j < 11; ++j) {
        const double x = -0.9 + 0.18 * i, y = -0.9 + 0.18 * j;
        const double c = (x * x + y * y - Arm::upper * Arm::upper - forearm * forearm) / (2 * Arm::upper * forearm);
        if (std::abs(c) > 1) continue;
        const double gain = Arm::upper * forearm * std::sqrt(1 - c * c);
        ++reached, sum += gain, best = std::max(best, gain), good += gain >= 0.1 ? 1 : 0;
      }
    const Variant variant = evaluator.evaluate({forearm});
    EXPECT_EQ(variant.error, "");
    EXPECT_DOUBLE_EQ(variant.outputs[0], reached / 121);
    EXPECT_NEAR(variant.outputs[1], best, 1e-9);  // poses are followed to 1e-9
    EXPECT_NEAR(variant.outputs[2], sum / reached, 1e-9);
    EXPECT_DOUBLE_EQ(variant.outputs[3], good / 121);
    EXPECT_GT(reached, 20);
  }
}

/// Element and message of the complaint about the first variant.
std::string complaint(const Study& study) {
  const StudyEvaluator evaluator(study, [](const std::vector<double>& values) { return Arm::of(values[0]); });
  try {
    evaluator.first({0.3});
  } catch (const OutputError& error) {
    return error.element() + ": " + error.what();
  }
  return "";
}

TEST(MapOutputs, SayWhatTheModelDoesNotHave) {
  EXPECT_EQ(complaint(arm_study({map_output("soft", "torque.c", "max")})),
            "soft: the map has no column 'torque.c'; there are: torque.a, torque.b");
  Study study = arm_study({map_output("reach", "reached")});
  study.map->axes[1].coordinate = "pos.lower.tap.y";
  EXPECT_TRUE(complaint(study).starts_with("pos.lower.tap.y: ")) << complaint(study);
  study = arm_study({map_output("reach", "reached")});
  study.map->frame = "lower/tap";
  EXPECT_TRUE(complaint(study).starts_with("map of the study: ")) << complaint(study);
  study = arm_study({map_output("reach", "reached")});
  study.map->branch = 7;
  EXPECT_EQ(complaint(study).substr(0, 45), "map of the study: there is no assembly 7: 1 f") << complaint(study);
}

}  // namespace
}  // namespace lithe
