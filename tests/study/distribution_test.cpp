#include "lithe/study/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lithe {
namespace {

Distribution spread(Distribution::Kind kind, double a, double b, double c = 0.0) {
  Distribution made;
  made.kind = kind;
  made.a = a, made.b = b, made.c = c;
  return made;
}

using Kind = Distribution::Kind;

TEST(Distribution, NormalQuantileAgreesWithTables) {
  // Abramowitz and Stegun, table 26.5 and 26.6: x for upper tails of 2.5, 0.1 and 1e-9 parts.
  EXPECT_NEAR(normal_quantile(0.975), 1.95996398454005, 1e-13);
  EXPECT_NEAR(normal_quantile(0.001), -3.09023230616781, 1e-13);
  EXPECT_NEAR(normal_quantile(1e-9), -5.99780701500769, 1e-11);
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(Distribution, QuantileAndProbabilityAreInverse) {
  Distribution cut = spread(Kind::normal, 3.0, 0.5);
  cut.low = 2.8, cut.high = 4.0;
  for (const Distribution& each :
       {spread(Kind::uniform, -2, 5), spread(Kind::log_uniform, 0.1, 10), spread(Kind::normal, 3, 0.5),
        spread(Kind::lognormal, 2, 0.3), spread(Kind::triangular, 1, 2, 5), spread(Kind::weibull, 2, 1.7), cut}) {
    EXPECT_EQ(each.why_not(), "");
    for (double p = 0.01; p < 1.0; p += 0.07) {
      EXPECT_NEAR(each.probability(each.quantile(p)), p, 1e-12) << static_cast<int>(each.kind);
      EXPECT_GE(each.quantile(p), each.least());
      EXPECT_LE(each.quantile(p), each.most());
    }
  }
}

TEST(Distribution, MediansAreTheClosedForms) {
  EXPECT_DOUBLE_EQ(spread(Kind::log_uniform, 0.1, 10).quantile(0.5), 1.0);
  EXPECT_DOUBLE_EQ(spread(Kind::lognormal, 2, 0.3).quantile(0.5), 2.0);
  EXPECT_DOUBLE_EQ(spread(Kind::triangular, 0, 0, 1).quantile(0.75), 0.5);  // 1 - (1 - x)^2 = 3/4
  EXPECT_DOUBLE_EQ(spread(Kind::weibull, 3, 1).quantile(0.5), 3 * std::log(2.0));
}

TEST(Distribution, RefusesWhatMakesNoSense) {
  EXPECT_EQ(spread(Kind::uniform, 2, 1).why_not(), "the first end must be below the second one");
  EXPECT_EQ(spread(Kind::log_uniform, 0, 1).why_not(), "both ends must be positive, the first one below the second");
  EXPECT_EQ(spread(Kind::normal, 0, 0).why_not(), "the standard deviation must be positive");
  EXPECT_EQ(spread(Kind::triangular, 0, 3, 2).why_not(), "least, most frequent and largest value must ascend");
  Distribution far = spread(Kind::normal, 0, 1);
  far.low = 20;
  EXPECT_EQ(far.why_not(), "hardly any value lies between the limits");
  far.high = 10;
  EXPECT_EQ(far.why_not(), "the lower limit must be below the upper one");
}

}  // namespace
}  // namespace lithe
