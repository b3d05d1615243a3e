// What a variant says when an output of it is no number.

#include <gtest/gtest.h>

#include <cmath>

#include "formula_study.hpp"
#include "lithe/io/load_model.hpp"

namespace lithe {
namespace {

using testing::formula_study;
using testing::uniform_axis;

TEST(StudyEvaluator, AnExpressionOfNumbersHasToBeOne) {
  const Study study = formula_study({uniform_axis("x", -1, 1)}, {{"y", "1/x"}, {"z", "y^2"}, {"w", "sqrt(x)"}});
  const StudyEvaluator evaluator(study, {});
  EXPECT_EQ(evaluator.evaluate({0.5}).error, "");
  EXPECT_EQ(evaluator.evaluate({0.0}).error, "output 'y': 1/x is no finite number at these values");
  EXPECT_EQ(evaluator.evaluate({-0.5}).error, "output 'w': sqrt(x) is no finite number at these values");
}

constexpr const char* disc = R"(
lithe: 1
links: {disc: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints: {hinge: {revolute: z, from: ground, to: disc, actuated: true}}
drives: {hinge: {follow: t}}
run: {until: 2, every: 0.1}
)";

TEST(StudyEvaluator, WhatARunDoesNotHaveIsNoFaultOfTheExpressionsOfIt) {
  Study study = formula_study({uniform_axis("x", -1, 1)}, {{"twice", "2*tone"}});
  Output tone;
  tone.name = "tone";
  tone.kind = OutputKind::ringing;  // an angle that rises with time never crosses its mean twice
  tone.of = "q.hinge";
  study.outputs.insert(study.outputs.begin(), tone);
  study.run = StudyRun::kinematics;
  const StudyEvaluator evaluator(study, [](const std::vector<double>&) { return load_model_text(disc, "m.yaml"); });
  const Variant variant = evaluator.evaluate({0.0});
  EXPECT_EQ(variant.error, "");
  EXPECT_TRUE(std::isnan(variant.outputs[0]) && std::isnan(variant.outputs[1]));
}

TEST(StudyEvaluator, AWindowWithoutRowsIsAnError) {
  Study study;
  study.axes = {uniform_axis("begin", 0, 5)};
  study.run = StudyRun::kinematics;
  Output angle;
  angle.name = "angle";
  angle.kind = OutputKind::maximum;
  angle.of = "q.hinge";
  angle.from = "begin";
  study.outputs = {angle};
  const StudyEvaluator evaluator(study, [](const std::vector<double>&) { return load_model_text(disc, "m.yaml"); });
  EXPECT_EQ(evaluator.evaluate({1.0}).error, "");
  EXPECT_EQ(evaluator.evaluate({3.0}).error, "output 'angle': the run, from 0 s to 2 s, has no row from 3 s on");
}

}  // namespace
}  // namespace lithe
