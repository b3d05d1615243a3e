// Slopes of outputs by axes against closed forms, and what they save an optimisation.

#include "lithe/study/output_slopes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "formula_study.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/study/optimize.hpp"

namespace lithe {
namespace {

using testing::uniform_axis;

/// Outputs are exact to rounding over a step of 1e-4, and formulas to its square.
constexpr double good = 1e-7;

Output output_of(const std::string& name, OutputKind kind, const std::string& of = "", int number = 1) {
  Output output;
  output.name = name;
  output.kind = kind;
  output.of = of;
  output.number = number;
  return output;
}

/// A model text whose parameters are the axes of the study, in their order.
ModelOfValues model_with(const Study& study, const std::string& text) {
  return [&study, text](const std::vector<double>& values) {
    std::map<std::string, std::string> set;
    for (std::size_t a = 0; a < values.size(); ++a) {
      char number[40];
      std::snprintf(number, sizeof number, "%.17g", values[a]);
      set[study.axes[a].name] = number;
    }
    return load_model_text(text, "m.yaml", set);
  };
}

MatrixX slopes_at(const StudyEvaluator& evaluator, const std::vector<double>& values) {
  const Variant at = evaluator.evaluate(values);
  EXPECT_EQ(at.error, "");
  return evaluator.slopes(values, at);
}

/// Two carriages on springs, side by side; the second one's stiffness is 50 N/m.
constexpr const char* carriages = R"(
lithe: 1
parameters: {k: 40, m: 2}
gravity: [-10, 0, 0]
links:
  one: {rigid: {mass: m, inertia: [1, 1, 1]}}
  two: {rigid: {mass: 2, inertia: [1, 1, 1]}}
joints:
  a: {prismatic: x, from: ground, to: one, spring: {stiffness: k}}
  b: {prismatic: x, from: ground, to: two, spring: {stiffness: 50}}
)";

TEST(OutputSlopes, OfACarriageOnASpringAreThoseOfItsFormulas) {
  Study study;
  study.axes = {uniform_axis("k", 10, 90), uniform_axis("m", 1, 3)};
  study.outputs = {output_of("f", OutputKind::frequency), output_of("sag", OutputKind::deflection, "one"),
                   output_of("soft", OutputKind::compliance, "one"), output_of("mass", OutputKind::mass, "all"),
                   output_of("both", OutputKind::expression, "mass^2 * f + k")};
  study.outputs[1].direction = study.outputs[2].direction = 0;
  const StudyEvaluator evaluator(study, model_with(study, carriages));
  // Within the ranges, and at the ends of both, where differences come from the inside.
  for (const auto& [k, m] : {std::pair{30.0, 2.5}, std::pair{10.0, 3.0}}) {
    const MatrixX slopes = slopes_at(evaluator, {k, m});
    const double f = std::sqrt(k / m) / (2 * std::numbers::pi);
    EXPECT_NEAR(slopes(0, 0), f / (2 * k), good * f / k);
    EXPECT_NEAR(slopes(0, 1), -f / (2 * m), good * f / m);
    EXPECT_NEAR(slopes(1, 0), m * 10 / (k * k), good * m * 10 / (k * k));  // -10 m / k
    EXPECT_NEAR(slopes(1, 1), -10 / k, good * 10 / k);
    EXPECT_NEAR(slopes(2, 0), -1 / (k * k), good / (k * k));
    EXPECT_NEAR(slopes(3, 1), 1, good);
    const double mass = m + 2;
    EXPECT_NEAR(slopes(4, 0), mass * mass * f / (2 * k) + 1, good * mass * mass);
    EXPECT_NEAR(slopes(4, 1), 2 * mass * f - mass * mass * f / (2 * m), good * mass * mass);
  }
}

TEST(OutputSlopes, FollowAModeWhereTwoChangeTheirOrder) {
  // A hundred-thousandth below 50 N/m the first carriage has the lower frequency; a tenth of a step further it has the
  // higher one.
  Study study;
  study.axes = {uniform_axis("k", 10, 90)};
  study.outputs = {output_of("first", OutputKind::frequency, "", 1), output_of("second", OutputKind::frequency, "", 2)};
  const StudyEvaluator evaluator(study, model_with(study, carriages));
  const double k = 50 * (1 - 1e-5), f = std::sqrt(k / 2) / (2 * std::numbers::pi);
  const MatrixX slopes = slopes_at(evaluator, {k});
  EXPECT_NEAR(slopes(0, 0), f / (2 * k), good * f / k);
  EXPECT_NEAR(slopes(1, 0), 0, good * f / k);
}

TEST(OutputSlopes, OfTorquesAlongAMotionAreThoseOfOneRow) {
  // tau = I q'' + d q' along q = sin 2t: I is (disc and motor) the axis, the peak stands where no one knows beforehand.
  Study study;
  study.run = StudyRun::inverse;
  study.axes = {uniform_axis("I", 1, 3), uniform_axis("d", 1, 9)};
  study.outputs = {output_of("peak", OutputKind::peak, "tau.hinge"),
                   output_of("least", OutputKind::minimum, "tau.hinge"),
                   output_of("last", OutputKind::final, "tau.hinge"), output_of("rms", OutputKind::rms, "tau.hinge"),
                   output_of("work", OutputKind::final, "energy.work")};
  study.outputs[1].from = "0.2";
  const std::string disc = R"(
lithe: 1
parameters: {I: 2, d: 4}
links: {disc: {rigid: {mass: 1, inertia: [20, 20, I]}}}
joints: {hinge: {revolute: z, from: ground, to: disc, actuated: true, damping: d}}
drives: {hinge: {follow: sin(2*t)}}
run: {until: 1.5, every: 0.01}
)";
  const StudyEvaluator evaluator(study, model_with(study, disc));
  EXPECT_EQ(evaluator.with_slopes(), (std::vector<char>{1, 1, 1, 0, 0}));
  const double I = 2, d = 4;
  const MatrixX slopes = slopes_at(evaluator, {I, d});
  const auto tau = [&](double t) { return -4 * I * std::sin(2 * t) + 2 * d * std::cos(2 * t); };
  double at_peak = 0, at_least = 0.2;
  for (int row = 0; row <= 150; ++row) {
    const double t = 0.01 * row;
    if (std::abs(tau(t)) > std::abs(tau(at_peak))) at_peak = t;
    if (t >= 0.2 && tau(t) < tau(at_least)) at_least = t;
  }
  const double sign = tau(at_peak) < 0 ? -1 : 1;
  EXPECT_GT(at_peak, 0.5);
  EXPECT_NEAR(slopes(0, 0), sign * -4 * std::sin(2 * at_peak), 10 * good);
  EXPECT_NEAR(slopes(0, 1), sign * 2 * std::cos(2 * at_peak), 10 * good);
  EXPECT_NEAR(slopes(1, 0), -4 * std::sin(2 * at_least), 10 * good);
  EXPECT_NEAR(slopes(2, 1), 2 * std::cos(3), 10 * good);
  EXPECT_TRUE(std::isnan(slopes(3, 0)) && std::isnan(slopes(4, 1)));
}

TEST(OutputSlopes, AreUnknownForSimulationsAndWhatIsMadeOfThem) {
  Study study;
  study.axes = {uniform_axis("k", 10, 90)};
  study.map = MapOptions{};
  study.outputs = {output_of("peak", OutputKind::peak, "q.a"),
                   output_of("mass", OutputKind::mass, "all"),
                   output_of("sum", OutputKind::expression, "peak + mass"),
                   output_of("double", OutputKind::expression, "2*mass"),
                   output_of("difference", OutputKind::expression, "peak-mass"),
                   output_of("reach", OutputKind::map, "reached"),
                   output_of("damped", OutputKind::damping_ratio)};
  EXPECT_EQ(detail::outputs_with_slopes(study, detail::OutputExpressions(study)),
            (std::vector<char>{0, 1, 0, 1, 0, 0, 0}));
}

TEST(OutputSlopes, OfExpressionsAreExactAtNumbersThatAreAlmostZeroAndBesideKinks) {
  Study study;
  study.axes = {uniform_axis("x", -1, 3), uniform_axis("y", -1, 3)};
  study.outputs = {output_of("bowl", OutputKind::expression, "(x - 1)^2 + y"),
                   output_of("larger", OutputKind::expression, "max(y, 3*y - 2)"),
                   output_of("both", OutputKind::expression, "bowl*larger")};
  const StudyEvaluator evaluator(study, {});
  // x is what -0.3 + 0.25*1.2 leaves; y stands a thousandth beside the kink of "larger" at 1.
  for (const auto& [y, rise] : {std::pair{1.001, 3.0}, std::pair{0.999, 1.0}}) {
    const MatrixX slopes = slopes_at(evaluator, {5.6e-17, y});
    const double larger = std::max(y, 3 * y - 2);
    EXPECT_NEAR(slopes(0, 0), -2, 1e-15);
    EXPECT_EQ(slopes(0, 1), 1);
    EXPECT_EQ(slopes(1, 0), 0);
    EXPECT_EQ(slopes(1, 1), rise);
    EXPECT_NEAR(slopes(2, 0), -2 * larger, 1e-14);
    EXPECT_NEAR(slopes(2, 1), larger + (1 + y) * rise, 1e-14);
  }
}

/// The same without its slopes.
class Blind : public StudyEvaluator {
 public:
  using StudyEvaluator::StudyEvaluator;
  std::vector<char> with_slopes() const override { return std::vector<char>(study().outputs.size(), 0); }
};

TEST(OutputSlopes, SaveAnOptimisationItsNeighbours) {
  // The most that the first spring carries with a sag of half a metre at most, where stiffness and mass are paid for:
  // 10 m / k <= 0.5 and k + 5 m <= 50 meet at m = 2, k = 40.
  Study study;
  study.axes = {uniform_axis("k", 10, 90), uniform_axis("m", 0.2, 3)};
  study.outputs = {output_of("carried", OutputKind::mass, "one"), output_of("sag", OutputKind::deflection, "one"),
                   output_of("price", OutputKind::expression, "k + 5*carried")};
  study.constraints = {{"sag", {}, 0.5}, {"price", {}, 50}};
  study.objectives = {{"carried", true}};
  OptimizeOptions options;
  options.method = OptimizeMethod::slsqp;
  options.starts = 1;
  options.tolerance = 1e-6;
  const ModelOfValues models = model_with(study, carriages);
  const StudyEvaluator exact(study, models);
  const Blind differences(study, models);
  const OptimizeAnswer a = optimize(exact, options, {}), b = optimize(differences, options, {});
  for (const OptimizeAnswer* answer : {&a, &b}) {
    ASSERT_GE(answer->best, 0);
    EXPECT_NEAR(answer->searches[0].values[0], 40, 1e-3);
    EXPECT_NEAR(answer->searches[0].values[1], 2, 1e-4);
  }
  // Two neighbours per axis and step are spared: a fifth of the variants remains, but for steps that differ.
  EXPECT_LE(3 * a.searches[0].evaluations, b.searches[0].evaluations);
}

}  // namespace
}  // namespace lithe
