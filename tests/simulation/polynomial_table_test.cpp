// Tables of smooth functions: against the functions themselves, and how often these had to be asked.

#include "lithe/simulation/polynomial_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe::detail {
namespace {

constexpr double table_accuracy = 1e-9;

struct CountedFunction {
  PolynomialTable::Function function;
  int calls = 0;

  bool operator()(double t, VectorX& value) {
    ++calls;
    return function(t, value);
  }
};

PolynomialTable::Function counted(CountedFunction& counter) {
  return [&counter](double t, VectorX& value) { return counter(t, value); };
}

TEST(PolynomialTable, HoldsItsAccuracyWithFewValues) {
  // Entries of very different size: each is judged against itself.
  CountedFunction wave{[](double t, VectorX& value) {
    value.resize(2);
    value << 1e3 * std::sin(7.0 * t), 1e-4 * std::exp(-t) * std::cos(3.0 * t);
    return true;
  }};
  PolynomialTable table(0.5, table_accuracy);
  table.open(0.0, 4.0);
  constexpr int instants = 4000;
  double first = 0.0, second = 0.0;
  for (int i = 0; i <= instants; ++i) {
    const double t = 4.0 * i / instants;
    VectorX value;
    ASSERT_TRUE(table.at(t, counted(wave), value)) << t;
    first = std::max(first, std::abs(value[0] - 1e3 * std::sin(7.0 * t)));
    second = std::max(second, std::abs(value[1] - 1e-4 * std::exp(-t) * std::cos(3.0 * t)));
  }
  EXPECT_LT(first, 1e3 * 10.0 * table_accuracy);
  EXPECT_LT(second, 1e-4 * 10.0 * table_accuracy);
  // The coefficients of sin(7 t) on a piece of length h are Bessel functions, 2 J_k(7 h / 2): those of order 9 fall below
  // the accuracy for h = 1/8, with 32 pieces of 11 values, after a few pieces that were too long.
  EXPECT_LE(wave.calls, (32 + 6) * 11);
}

TEST(PolynomialTable, IsNeverWrongAtAKink) {
  // Nobody told it of the kink: what it cannot follow it leaves to the caller.
  CountedFunction kink{[](double t, VectorX& value) {
    value = VectorX::Constant(1, std::abs(t - 0.3));
    return true;
  }};
  PolynomialTable table(0.25, table_accuracy);
  table.open(0.0, 1.0);
  int refused = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    VectorX value;
    if (table.at(t, counted(kink), value))
      EXPECT_NEAR(value[0], std::abs(t - 0.3), 10.0 * table_accuracy) << t;
    else
      ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 400);
}

TEST(PolynomialTable, LeavesAPlaceWithoutValuesToTheCaller) {
  const PolynomialTable::Function root = [](double t, VectorX& value) {
    value = VectorX::Constant(1, std::sqrt(std::max(0.0, 1.0 - t)));
    return t <= 1.0;
  };
  PolynomialTable table(0.1, table_accuracy);
  table.open(0.0, 2.0);
  VectorX value;
  EXPECT_TRUE(table.at(0.05, root, value));
  EXPECT_NEAR(value[0], std::sqrt(0.95), 10.0 * table_accuracy);
  EXPECT_FALSE(table.at(1.5, root, value));
}

TEST(PolynomialTable, ForgetsTheFunctionWhenOpenedAnew) {
  PolynomialTable table(0.5, table_accuracy);
  const auto constant = [](double c) {
    return [c](double, VectorX& value) {
      value = VectorX::Constant(1, c);
      return true;
    };
  };
  VectorX value;
  table.open(0.0, 1.0);
  ASSERT_TRUE(table.at(0.9, constant(1.0), value));
  table.open(1.0, 2.0);
  ASSERT_TRUE(table.at(1.0, constant(2.0), value));
  EXPECT_DOUBLE_EQ(value[0], 2.0);
}

}  // namespace
}  // namespace lithe::detail
