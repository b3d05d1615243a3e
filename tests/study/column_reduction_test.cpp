#include "lithe/study/column_reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;

/// x(t) at 1000 steps over two seconds.
template <class F>
double reduced(const Output& output, const F& x, const TimeWindow& window = {}) {
  std::vector<double> t, values;
  for (int i = 0; i <= 1000; ++i) {
    t.push_back(0.002 * i);
    values.push_back(x(t.back()));
  }
  return reduce_column(output, window, t, values);
}

Output of(OutputKind kind) {
  Output output;
  output.kind = kind;
  return output;
}

TEST(ColumnReduction, OfASineIsTheClosedForm) {
  const auto sine = [](double t) { return 3 * std::sin(2 * pi * 5 * t) - 1; };  // ten whole periods
  // Trapezoids over whole periods of a sine are exact; the crests stand on rows (t = 0.05, 0.15, ...).
  EXPECT_NEAR(reduced(of(OutputKind::peak), sine), 4, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::maximum), sine), 2, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::minimum), sine), -4, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::range), sine), 6, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::residual), sine), 3, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::mean), sine), -1, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::integral), sine), -2, 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::rms), sine), std::sqrt(1 + 4.5), 1e-12);
  EXPECT_NEAR(reduced(of(OutputKind::final), sine), -1, 1e-12);
  // The line between two rows misses the crossing by less than the third power of the angle between them.
  EXPECT_NEAR(reduced(of(OutputKind::ringing), sine), 5, 5 * std::pow(2 * pi * 5 * 0.002, 3));
}

TEST(ColumnReduction, SettlingAndOvershootOfADecayAreTheClosedForm) {
  // 1 - exp(-d t) cos(w t), first and last row far from each other; it overshoots at about half a period.
  const double d = 6, w = 2 * pi * 3;
  const auto step = [&](double t) { return 1 - std::exp(-d * t) * std::cos(w * t); };
  const double crest = std::atan2(-d, w);  // where the slope is zero: tan(w t) = -d / w
  const double at = (crest + pi) / w;
  EXPECT_NEAR(reduced(of(OutputKind::overshoot), step), -std::exp(-d * at) * std::cos(w * at), 1e-4);
  Output decay = of(OutputKind::settling_time);
  decay.band = 0.1;
  const auto slow = [](double t) { return 2 * std::exp(-5 * t); };
  // The last row is 2 exp(-10); the line between two rows errs by an eighth of their distance squared times the curvature.
  EXPECT_NEAR(reduced(decay, slow), std::log(2 / (0.1 + 2 * std::exp(-10.0))) / 5, 1e-4);
  EXPECT_NEAR(reduced(decay, slow, {0.2, {}}), std::log(2 / (0.1 + 2 * std::exp(-10.0))) / 5 - 0.2, 1e-4);
}

TEST(ColumnReduction, TakesRowsOfTheWindowOnly) {
  EXPECT_NEAR(reduced(of(OutputKind::final), [](double t) { return t; }, {{}, 0.5}), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(reduced(of(OutputKind::mean), [](double t) { return t; }, {3.0, {}})));
  EXPECT_TRUE(std::isnan(reduced(of(OutputKind::ringing), [](double t) { return t; })));
  EXPECT_NEAR(reduced(of(OutputKind::peak_time), [](double t) { return -std::abs(t - 1); }), 0.0, 1e-12);
}

}  // namespace
}  // namespace lithe
