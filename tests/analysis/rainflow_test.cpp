#include "lithe/analysis/rainflow.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <stdexcept>

namespace lithe {
namespace {

/// The history of the example of ASTM E1049.
const std::vector<double> astm{-2, 1, -3, 5, -1, 3, -4, 4, -2};

/// Number of cycles by range.
std::map<double, double> counts(const std::vector<RainflowCycle>& cycles) {
  std::map<double, double> sums;
  for (const RainflowCycle& cycle : cycles) sums[cycle.range] += cycle.count;
  return sums;
}

// Counts printed in ASTM E1049 for its example.
TEST(Rainflow, CountsTheExampleOfAstmE1049) {
  const std::map<double, double> expected{{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
  EXPECT_EQ(counts(rainflow(astm)), expected);
}

// Values between the reversals, and values that stay, are no reversals.
TEST(Rainflow, SeesReversalsOnly) {
  std::vector<double> finer;
  for (std::size_t i = 0; i + 1 < astm.size(); ++i)
    for (const double part : {0.0, 0.0, 0.25, 0.5, 0.5}) finer.push_back(astm[i] + part * (astm[i + 1] - astm[i]));
  finer.push_back(astm.back());
  EXPECT_EQ(counts(rainflow(finer)), counts(rainflow(astm)));
}

TEST(Rainflow, CountsLittleAndNothing) {
  EXPECT_TRUE(rainflow({}).empty());
  EXPECT_TRUE(rainflow(std::vector<double>{3.0, 3.0, 3.0}).empty());
  const auto rise = rainflow(std::vector<double>{1.0, 2.0, 5.0});
  ASSERT_EQ(rise.size(), 1u);
  EXPECT_EQ(rise[0].range, 4.0);
  EXPECT_EQ(rise[0].mean, 3.0);
  EXPECT_EQ(rise[0].count, 0.5);
}

// A steady oscillation of n periods from peak to peak: 2 n ranges, each at least as large as the one before, so all are
// halves.
TEST(Rainflow, CountsASteadyOscillation) {
  std::vector<double> history{1.0};
  for (int i = 0; i < 10; ++i) history.insert(history.end(), {-1.0, 1.0});
  EXPECT_EQ(counts(rainflow(history)), (std::map<double, double>{{2.0, 10.0}}));
}

TEST(Rainflow, RefusesWhatIsNoNumber) {
  const std::vector<double> history{1.0, std::numeric_limits<double>::quiet_NaN()};
  try {
    rainflow(history);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "value 1 of the history is not a finite number");
  }
}

// By hand. Amplitude 4.5 is borne for 1000 cycles, slope 2: a cycle of range r does damage r^2/81000. With the counts
// above 0.5 9 + 1.5 16 + 0.5 36 + 64 + 0.5 81 = 151.
TEST(MinerDamage, OfTheExampleOfAstmE1049) {
  SnLine line{4.5, 1000, 2};
  EXPECT_NEAR(miner_damage(rainflow(astm), line), 151.0 / 81000, 1e-15);
  // Ranges up to twice 2.5 do no harm: 18 + 64 + 40.5 are left.
  line.endurance = 2.5;
  EXPECT_NEAR(miner_damage(rainflow(astm), line), 122.5 / 81000, 1e-15);
  // Goodman with an ultimate stress of 10. Pairs of reversals and their means: -2 1 (-0.5), 1 -3 (-1), -1 3 (1), -3 5
  // (1), 5 -4 (0.5), -4 4 (0), 4 -2 (1). A mean of 1 raises the square by 100/81, one of 0.5 by 1/0.95^2, negative ones
  // leave it: 4.5 + 8 + 32 without, 16 + 32 + 18 with the mean 1, 40.5 with 0.5.
  line.endurance = 0;
  line.ultimate = 10;
  EXPECT_NEAR(miner_damage(rainflow(astm), line), (44.5 + 66 * 100.0 / 81 + 40.5 / 0.9025) / 81000, 1e-15);
}

TEST(MinerDamage, EndsAtTheUltimateStress) {
  const SnLine line{100, 1e6, 5, 0, 400};
  EXPECT_EQ(line.cycles_to_failure(10, 400), 1.0);
  EXPECT_EQ(line.cycles_to_failure(100, -50), 1e6);
  EXPECT_EQ((SnLine{100, 1e6, 5, 20, 0}.cycles_to_failure(20, 0)), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace lithe
