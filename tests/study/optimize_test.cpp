#include "lithe/study/optimize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "formula_study.hpp"

namespace lithe {
namespace {

using testing::formula_study;
using testing::uniform_axis;

TEST(Optimize, FindsTheNearestPointOfAHalfPlaneByEveryMethod) {
  // Nearest to (1, 2) among x + y <= 2: the foot of the perpendicular, (0.5, 1.5), at the distance sqrt(0.5).
  Study study = formula_study({uniform_axis("x", -3, 3), uniform_axis("y", -4, 4)},
                              {{"far", "(x - 1)^2 + (y - 2)^2"}, {"sum", "x + y"}});
  study.objectives = {{"far"}};
  study.constraints = {{"sum", {}, 2.0}};
  const StudyEvaluator evaluator(study, {});
  for (const OptimizeMethod method : all_optimize_methods) {
    OptimizeOptions options;
    options.method = method;
    options.evaluations = 2000;
    options.tolerance = 1e-6;
    options.starts = 2;
    const OptimizeAnswer answer = optimize(evaluator, options, {});
    ASSERT_GE(answer.best, 0) << name_of(method);
    const Optimum& best = answer.searches[answer.best];
    // The distance is flat along the edge: half the digits of the objective, and boxes of DIRECT are coarse.
    EXPECT_NEAR(best.outputs[0], 0.5, method == OptimizeMethod::direct ? 5e-3 : 1e-4) << name_of(method);
    EXPECT_LE(best.outputs[1], 2 + 4e-6) << name_of(method);
  }
}

TEST(Optimize, TheFrontOfTwoDistancesIsTheLineBetween) {
  // x^2 and (x - 2)^2: on the front 0 <= x <= 2 the roots add up to 2.
  Study study = formula_study({uniform_axis("x", -5, 5)}, {{"a", "x^2"}, {"b", "(x - 2)^2"}});
  study.objectives = {{"a"}, {"b"}};
  const StudyEvaluator evaluator(study, {});
  OptimizeOptions options;
  options.starts = 1;
  options.points = 6;
  options.tolerance = 1e-6;
  const OptimizeAnswer answer = optimize(evaluator, options, {});
  EXPECT_GE(answer.front.size(), 5U);
  for (const Optimum& each : answer.front)
    EXPECT_NEAR(std::sqrt(each.outputs[0]) + std::sqrt(each.outputs[1]), 2, 1e-4);
}

TEST(Optimize, TheFrontHasAPointOnceFromHoweverManyStarts) {
  Study study = formula_study({uniform_axis("x", -5, 5)}, {{"a", "x^2"}, {"b", "(x - 2)^2"}});
  study.objectives = {{"a"}, {"b"}};
  const StudyEvaluator evaluator(study, {});
  OptimizeOptions options;
  options.method = OptimizeMethod::slsqp;
  options.starts = 3;
  options.points = 6;
  EXPECT_EQ(optimize(evaluator, options, {}).front.size(), 6U);
}

TEST(Optimize, GoesOnFromWhatIsKnownWithTheSameBits) {
  Study study =
      formula_study({uniform_axis("x", -2, 2), uniform_axis("y", -2, 2)}, {{"valley", "(1 - x)^2 + 100*(y - x^2)^2"}});
  study.objectives = {{"valley"}};
  const StudyEvaluator evaluator(study, {});
  OptimizeOptions options;
  options.method = OptimizeMethod::nelder_mead;
  options.starts = 3;
  std::map<long, Variant> all;
  OptimizeControl control;
  control.finished = [&](long number, const std::vector<double>&, const Variant& variant) { all[number] = variant; };
  const OptimizeAnswer whole = optimize(evaluator, options, control);
  // Half of it is known; the rest must come out the same.
  std::map<long, Variant> half;
  for (const auto& [number, variant] : all)
    if (number % 2 == 0) half[number] = variant;
  long fresh = 0;
  OptimizeControl again;
  again.threads = 1;
  again.known = [&](long number) {
    const auto found = half.find(number);
    return found == half.end() ? nullptr : &found->second;
  };
  again.finished = [&](long number, const std::vector<double>&, const Variant& variant) {
    ++fresh;
    EXPECT_EQ(variant.outputs, all.at(number).outputs);
  };
  const OptimizeAnswer resumed = optimize(evaluator, options, again);
  EXPECT_EQ(fresh, static_cast<long>(all.size() - half.size()));
  for (std::size_t i = 0; i < whole.searches.size(); ++i)
    EXPECT_EQ(resumed.searches[i].values, whole.searches[i].values);
}

TEST(Optimize, RefusesAStudyThatCannotBeOptimised) {
  const auto refusal = [](const Study& study) {
    try {
      optimize(StudyEvaluator(study, {}), {}, {});
    } catch (const MechanismError& error) {
      return error.element() + ": " + error.what();
    }
    return std::string();
  };
  Study study = formula_study({uniform_axis("x", 0, 1)}, {{"y", "x"}});
  EXPECT_EQ(refusal(study), "objectives: an optimisation needs an objective: objectives: {OUTPUT: minimize}");
  study.objectives = {{"y"}};
  study.axes[0].spread.kind = Distribution::Kind::normal;
  EXPECT_EQ(refusal(study), "x: an optimisation needs ends; say 'uniform: [from, to]', or 'low' and 'high'");
  study.axes[0].spread.kind = Distribution::Kind::values;
  study.axes[0].spread.values = {1, 2};
  EXPECT_EQ(refusal(study), "x: an optimisation needs axes without gaps; say 'uniform: [from, to]'");
}

}  // namespace
}  // namespace lithe
