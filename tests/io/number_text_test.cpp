// Text of numbers: fmt, which the rows were written with before, is the oracle.

#include "lithe/io/number_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace lithe::io {
namespace {

std::string text_of_number(double value) {
  char text[longest_number];
  return {text, write_number(text, value)};
}

void expect_as_fmt(double value) {
  for (const double x : {value, -value}) EXPECT_EQ(text_of_number(x), fmt::format("{}", x));
}

TEST(NumberText, RandomDoublesOfAllSizes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) expect_as_fmt(std::bit_cast<double>(random()));
}

TEST(NumberText, NumbersOfRows) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> value(-10.0, 10.0);
  for (int i = 0; i < 50000; ++i) {
    const double x = value(random);
    for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e15}) expect_as_fmt(x * scale);
    for (const double scale : {1e3, 1e4, 1e9, 1e15}) expect_as_fmt(std::round(x * scale) / scale);
    expect_as_fmt(std::round(x * 1e3));
  }
  for (int i = 0; i < 20000; ++i) expect_as_fmt(i * 1e-3);
}

TEST(NumberText, PowersOfTwoAndTheirNeighbours) {
  for (int e = -1074; e < 1024; ++e) {
    const double power = std::ldexp(1.0, e);
    for (const double x : {power, std::nextafter(power, 0.0), std::nextafter(power, HUGE_VAL)}) expect_as_fmt(x);
  }
}

TEST(NumberText, PowersOfTenAndTheirNeighbours) {
  for (int e = -307; e < 308; ++e) {
    const double power = std::stod(fmt::format("1e{}", e));
    for (const double x : {power, std::nextafter(power, 0.0), std::nextafter(power, HUGE_VAL), 5 * power, 1.25 * power})
      expect_as_fmt(x);
  }
}

TEST(NumberText, Specials) {
  EXPECT_EQ(text_of_number(0.0), "0");
  EXPECT_EQ(text_of_number(-0.0), "-0");
  EXPECT_EQ(text_of_number(1.0), "1");
  EXPECT_EQ(text_of_number(-2.5e-5), "-2.5e-05");
  expect_as_fmt(std::numeric_limits<double>::infinity());
  expect_as_fmt(std::numeric_limits<double>::quiet_NaN());
  expect_as_fmt(std::numeric_limits<double>::max());
  expect_as_fmt(std::numeric_limits<double>::denorm_min());
}

}  // namespace
}  // namespace lithe::io
