#include "lithe/study/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "formula_study.hpp"

namespace lithe {
namespace {

using testing::formula_study;
using testing::uniform_axis;

StudyTable computed(Study& study, SampleMethod method, long count) {
  study.sample.method = method;
  study.sample.count = count;
  const Samples samples(study.axes, study.sample);
  const StudyEvaluator evaluator(study, {});
  StudyTable table(study, samples);
  SweepControl control;
  control.finished = [&](long row, const Variant& variant) { table.put(row, variant); };
  EXPECT_TRUE(run_variants(evaluator, samples, table.missing(), control));
  return table;
}

TEST(Statistics, SobolIndicesOfTheIshigamiFunction) {
  // y = sin x1 + a sin^2 x2 + b x3^4 sin x1 on (-pi, pi)^3. Variances in closed form (Ishigami and Homma, 1990).
  Study study = formula_study(
      {uniform_axis("x1", -std::numbers::pi, std::numbers::pi), uniform_axis("x2", -std::numbers::pi, std::numbers::pi),
       uniform_axis("x3", -std::numbers::pi, std::numbers::pi)},
      {{"y", "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)"}});
  const StudyTable table = computed(study, SampleMethod::saltelli, 4096);
  const double a = 7, b = 0.1, b4 = b * std::pow(std::numbers::pi, 4), b8 = b * b * std::pow(std::numbers::pi, 8);
  const double alone_1 = 0.5 * std::pow(1 + b4 / 5, 2), alone_2 = a * a / 8, joint_13 = 8 * b8 / 225;
  const double variance = alone_1 + alone_2 + joint_13;
  const std::vector<SobolIndex> indices = sobol_indices(table.results, 3);
  const double first[] = {alone_1 / variance, alone_2 / variance, 0};
  const double total[] = {(alone_1 + joint_13) / variance, alone_2 / variance, joint_13 / variance};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(indices[i].first, first[i], 0.02) << i;
    EXPECT_NEAR(indices[i].total, total[i], 0.02) << i;
    EXPECT_GT(indices[i].total_error, 0.0);
    EXPECT_LT(indices[i].first_error, 0.05);
  }
}

TEST(Statistics, MorrisEffectsOfALinearFunctionAreItsSlopes) {
  Study study = formula_study({uniform_axis("a", 0, 2), uniform_axis("b", -1, 1), uniform_axis("c", 0, 1)},
                              {{"y", "3*a - b + 0*c"}, {"z", "a*b"}});
  const StudyTable table = computed(study, SampleMethod::morris, 20);
  ASSERT_EQ(table.rows, 80);
  const Samples samples(study.axes, study.sample);
  std::vector<double> y, z;
  for (long k = 0; k < table.rows; ++k) y.push_back(table.results_of(k)[0]), z.push_back(table.results_of(k)[1]);
  const std::vector<MorrisEffect> effects = morris_effects(samples, y), bent = morris_effects(samples, z);
  const double slopes[] = {6, -2, 0};  // times the range of the axis
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(effects[i].mean, slopes[i], 1e-12);
    EXPECT_NEAR(effects[i].mean_size, std::abs(slopes[i]), 1e-12);
    EXPECT_NEAR(effects[i].deviation, 0, 1e-12);
  }
  EXPECT_GT(bent[0].deviation, 0.1);  // it acts together with another
  EXPECT_EQ(bent[2].mean_size, 0);
}

TEST(Statistics, FailureProbabilityHoldsTheTruthInItsInterval) {
  // Two normal dimensions, failure where their sum is beyond two of its deviations: probability 1 - Phi(2).
  StudyAxis x{"x", {}}, y{"y", {}};
  x.spread.kind = y.spread.kind = Distribution::Kind::normal;
  x.spread.a = 1, x.spread.b = 0.3;
  y.spread.a = 2, y.spread.b = 0.4;
  Study study = formula_study({x, y}, {{"sum", "x + y"}});
  study.constraints = {{"sum", {}, 3 + 2 * 0.5}};
  const StudyTable table = computed(study, SampleMethod::random, 5000);
  long broken = 0;
  for (long k = 0; k < table.rows; ++k) broken += study.is_feasible({table.results_of(k)[0]}) ? 0 : 1;
  const FailureProbability found = failure_probability(broken, table.rows);
  const double truth = 0.022750131948179;
  EXPECT_LT(found.low, truth);
  EXPECT_GT(found.high, truth);
  EXPECT_LT(found.high - found.low, 0.012);  // two times 1.96 sqrt(p (1 - p) / n), and a little
}

TEST(Statistics, IntervalsOfFailureAreThoseOfClopperAndPearson) {
  // Without a failure the upper end is 1 - (alpha / 2)^(1 / n); with failures only, the mirror image.
  EXPECT_NEAR(failure_probability(0, 20).high, 1 - std::pow(0.025, 1.0 / 20), 1e-12);
  EXPECT_EQ(failure_probability(0, 20).low, 0);
  EXPECT_NEAR(failure_probability(20, 20).low, std::pow(0.025, 1.0 / 20), 1e-12);
  // Brownlee, Statistical Theory and Methodology: 1 of 10 lies between 0.0025 and 0.4450.
  EXPECT_NEAR(failure_probability(1, 10).low, 0.0025, 5e-5);
  EXPECT_NEAR(failure_probability(1, 10).high, 0.4450, 5e-5);
}

TEST(Statistics, ResponseSurfaceOfAQuadraticIsExact) {
  Study study =
      formula_study({uniform_axis("a", 0, 2), uniform_axis("b", -3, 1)}, {{"y", "1 + 2*a - b + a*b + 3*b^2"}});
  const StudyTable table = computed(study, SampleMethod::sobol, 64);
  const ResponseSurface surface = response_surface(table, 0);
  EXPECT_NEAR(surface.determination, 1, 1e-12);
  EXPECT_NEAR(surface.at({0.5, -2}), 1 + 1 + 2 - 1 + 12, 1e-10);
}

TEST(Statistics, AxesThatHardlyVaryTakeNothingFromTheOthers) {
  // One axis has a single value, one has two: its square says nothing that the constant does not.
  StudyAxis fixed{"a", {}}, two{"b", {}}, many{"c", {}};
  for (StudyAxis* each : {&fixed, &two, &many}) each->spread.kind = Distribution::Kind::values;
  fixed.spread.values = {3};
  two.spread.values = {1, 2};
  many.spread.values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  Study study = formula_study({fixed, two, many}, {{"y", "a*b + c^2 - b*c"}, {"line", "a*c"}});
  const StudyTable table = computed(study, SampleMethod::grid, 0);
  const ResponseSurface surface = response_surface(table, 0);
  EXPECT_NEAR(surface.determination, 1, 1e-12);
  EXPECT_NEAR(surface.at({3, 2, 5}), 6 + 25 - 10, 1e-10);
  const ToleranceBudget budget = tolerance_budget(table, 1);
  EXPECT_EQ(budget.shares[0], 0);
  EXPECT_NEAR(budget.shares[1], 0, 1e-12);
  EXPECT_NEAR(budget.shares[2], 1, 1e-12);
  EXPECT_NEAR(budget.unexplained, 0, 1e-12);
}

TEST(Statistics, ToleranceBudgetOfASumIsThatOfTheSquares) {
  // Variances of 3 a and 4 b with equal spreads are as 9 to 16; a Sobol sample of 4096 has them to a part in a thousand.
  Study study = formula_study({uniform_axis("a", 0, 1), uniform_axis("b", 0, 1)}, {{"y", "3*a + 4*b"}});
  const ToleranceBudget budget = tolerance_budget(computed(study, SampleMethod::sobol, 4096), 0);
  EXPECT_NEAR(budget.shares[0], 9.0 / 25, 2e-3);
  EXPECT_NEAR(budget.shares[1], 16.0 / 25, 2e-3);
  EXPECT_NEAR(budget.unexplained, 0, 2e-3);
}

TEST(Statistics, ToleranceBudgetOfCorrelatedAxesLeavesNothingOut) {
  // y = a + b, deviations 1 and 2, correlation 0.7: of the variance 1 + 4 + 2*1.4 = 7.8 axis a has its own 1 and half
  // of what both have in common, 1.4. A draw of 4000 knows a correlation to 1 / sqrt(4000).
  Study study = formula_study({StudyAxis{"a", {}}, StudyAxis{"b", {}}}, {{"y", "a + b"}});
  for (StudyAxis& axis : study.axes) axis.spread.kind = Distribution::Kind::normal;
  study.axes[0].spread.a = study.axes[1].spread.a = 0;
  study.axes[0].spread.b = 1;
  study.axes[1].spread.b = 2;
  study.sample.correlations = {{"a", "b", 0.7}};
  const ToleranceBudget budget = tolerance_budget(computed(study, SampleMethod::random, 4000), 0);
  EXPECT_NEAR(budget.shares[0], 2.4 / 7.8, 3 / std::sqrt(4000.0));
  EXPECT_NEAR(budget.shares[1], 5.4 / 7.8, 3 / std::sqrt(4000.0));
  EXPECT_NEAR(budget.unexplained, 0, 1e-12);  // a sum is its own surface
}

TEST(Statistics, OfEqualNumbersHaveNoDeviation) {
  Study study = formula_study({uniform_axis("a", 0, 1)}, {{"y", "0.1"}});
  EXPECT_TRUE(
      std::isnan(tolerance_budget(computed(study, SampleMethod::sobol, 16), 0).unexplained));  // nothing to share
  EXPECT_EQ(spread_of({0.1, 0.1, 0.1}).deviation, 0);  // 0.1 + 0.1 + 0.1 is not 3 times 0.1
  EXPECT_EQ(spread_of({0.1, 0.1, 0.1}).mean, 0.1);
}

TEST(Statistics, SpreadAndCorrelationsOfAFewNumbers) {
  const Spread spread = spread_of({4, 1, 3, 2, std::nan("")});
  EXPECT_EQ(spread.count, 4);
  EXPECT_DOUBLE_EQ(spread.mean, 2.5);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(spread.median, 2.5);
  EXPECT_DOUBLE_EQ(spread.robust(3), 2.5 + 3 * std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(correlation({1, 2, 3}, {2, 4, 6}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {1, 8, 27, 64}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 2, 3}, {3, 2, 2, 1}), -1);
}

}  // namespace
}  // namespace lithe
