// Operation counts: the formulas that Korayem and Shafei print, and what our recursion takes.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "reproduce/operation_counts.hpp"

namespace lithe::reproduce {
namespace {

void expect(const OperationCount& count, long products, long sums) {
  EXPECT_EQ(count.products, products);
  EXPECT_EQ(count.sums, sums);
}

TEST(Counted, CountsProductsAndSums) {
  const OperationCount before = Counted::tally();
  const Vector3<Counted> a(1.0, 2.0, 3.0), b(4.0, 5.0, 6.0);
  EXPECT_EQ(a.cross(b)[0].value(), -3.0);  // 6 and 3, or 2 and 1 when only one component is formed
  const OperationCount one = Counted::tally();
  EXPECT_EQ(plain(a.dot(b)), 32.0);
  const OperationCount two = Counted::tally();
  EXPECT_EQ(two.products - one.products, 3);
  EXPECT_EQ(two.sums - one.sums, 2);
  EXPECT_GE(one.products - before.products, 2);
  Matrix3<Counted> m = Mat3::Identity().cast<Counted>();
  m = Matrix3<Counted>(m * m);
  EXPECT_EQ(Counted::tally().products - two.products, 27);
  EXPECT_EQ(Counted::tally().sums - two.sums, 18);
}

// Table 2 of the source: n = 3, two bending, m = 2; and the case headed n = 6, m = 3, whose numbers are those of m = 2.
TEST(KorayemCounts, PrintedNumbers) {
  expect(printed_total({3, 2, 2}), 2706, 2134);
  expect(printed_lagrange({3, 2, 2}), 4922, 4851);
  expect(printed_total({6, 6, 2}), 19557, 18332);
  expect(printed_lagrange({6, 6, 2}), 25251, 24569);
  // What the formulas give for the heading.
  expect(printed_total({6, 6, 3}), 26508, 26966);
  expect(printed_lagrange({6, 6, 3}), 34593, 33653);
}

TEST(KorayemCounts, StepsOfTableOneMakeTableTwo) {
  for (int n = 1; n <= 12; ++n)
    for (int bending = 0; bending <= n; ++bending)
      for (int m = 1; m <= 4; ++m) {
        const OperationCount sum = total(printed_steps({n, bending, m})), printed = printed_total({n, bending, m});
        expect(sum, printed.products, printed.sums);
      }
}

// The claim of the source, fewer operations than Book's method, holds for its two cases and not for large chains.
TEST(KorayemCounts, FewerThanLagrangeOnlyForSmallChains) {
  EXPECT_LT(printed_total({6, 6, 2}).products, printed_lagrange({6, 6, 2}).products);
  EXPECT_GT(printed_total({6, 6, 8}).products, printed_lagrange({6, 6, 8}).products);
  EXPECT_GT(printed_total({20, 20, 2}).products, printed_lagrange({20, 20, 2}).products);
  EXPECT_GT(printed_total({6, 0, 0}).products, printed_lagrange({6, 0, 0}).products);
}

// Steps that are a plain list of operations: gradients, resultants, modal bias, right side, rotations, vectors.
TEST(KorayemCounts, PlainStepsAreAsPrinted) {
  for (int n = 2; n <= 8; ++n)
    for (int m = 1; m <= 4; ++m) {
      const StepCounts ours = measured_steps({n, n, m}), printed = printed_steps({n, n, m});
      for (const int step : {3, 5, 6, 7, 8}) expect(ours[step - 1], printed[step - 1].products, printed[step - 1].sums);
      // The innermost resultant is zero: 3 sums less.
      expect(ours[3], printed[3].products, printed[3].sums - 3);
    }
}

/// Third differences of a sequence vanish: it is a polynomial of second degree.
void expect_quadratic(const std::vector<long>& x) {
  for (std::size_t k = 0; k + 3 < x.size(); ++k) EXPECT_EQ(x[k + 3] - 3 * x[k + 2] + 3 * x[k + 1] - x[k], 0) << k;
}

TEST(KorayemCounts, MeasuredGrowsQuadratically) {
  const auto sequence = [](const std::function<ChainSize(int)>& size, bool products) {
    std::vector<long> counts;
    for (int k = 4; k <= 10; ++k) {
      const OperationCount count = total(measured_steps(size(k)));
      counts.push_back(products ? count.products : count.sums);
    }
    return counts;
  };
  for (const bool products : {true, false}) {
    expect_quadratic(sequence([](int n) { return ChainSize{n, n, 2}; }, products));
    expect_quadratic(sequence([](int n) { return ChainSize{n, 0, 0}; }, products));
    expect_quadratic(sequence([](int m) { return ChainSize{5, 5, m}; }, products));
  }
}

// Our inertia matrix forms its two vectors once per shape, and of joint rows only what it needs.
TEST(KorayemCounts, MeasuredIsBelowPrinted) {
  for (const ChainSize& size : {ChainSize{3, 2, 2}, ChainSize{6, 6, 2}, ChainSize{6, 6, 3}, ChainSize{10, 10, 4}}) {
    const OperationCount ours = total(measured_steps(size)), printed = printed_total(size);
    EXPECT_LT(ours.products, printed.products);
    EXPECT_LT(ours.sums, printed.sums);
  }
}

}  // namespace
}  // namespace lithe::reproduce
