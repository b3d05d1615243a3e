// The functions of damped oscillators against their Taylor series with 500 digits (tests/oracles/oscillator_functions.py).
#include "lithe/simulation/phi_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/oracle.hpp"

namespace lithe::detail {
namespace {

// Recursions upwards divide by (w t)^2, which is at least 0.75 there, twice; so a few units of rounding of 1/k!, which is
// at most one.
TEST(OscillatorFunctions, AreThoseOfTheSeries) {
  const testing::Json table = testing::read_oracle("oscillator_functions");
  ASSERT_GT(table.size(), 20u);
  for (const testing::Json& row : table) {
    const double square = row.at("square"), damping = row.at("damping");
    const OscillatorFunctions e = oscillator_functions(square, damping);
    for (std::size_t k = 0; k < e.size(); ++k)
      EXPECT_NEAR(e[k], row.at("E").at(k).get<double>(), 2e-15) << "E_" << k << " of " << square << ", " << damping;
  }
}

// On both sides of every switch between formulas the functions go on smoothly: over a step of 1e-9 they change by about
// that times their slope, which is at most one.
TEST(OscillatorFunctions, HaveNoSeams) {
  for (const double damping : {0.0, 0.3, 1.0, 2.0, 3.0, 20.0})
    for (const double edge : {1.0, damping * damping / 4.0, 0.75 * damping * damping / 4.0}) {
      if (edge == 0.0) continue;
      const OscillatorFunctions below = oscillator_functions(edge * (1 - 1e-9), damping),
                                above = oscillator_functions(edge * (1 + 1e-9), damping);
      for (std::size_t k = 0; k < below.size(); ++k)
        EXPECT_NEAR(below[k], above[k], 2e-9) << "E_" << k << " at " << edge << ", " << damping;
    }
}

TEST(OscillatorFunctions, NeverOverflow) {
  for (const double square : {0.0, 1e-300, 1e10, 1e20})
    for (const double damping : {0.0, 1e-300, 1.9e5, 2.0e5, 2.1e5, 1e12})
      for (const double value : oscillator_functions(square, damping)) EXPECT_LE(std::abs(value), 1.0 + 1e-12);
}

}  // namespace
}  // namespace lithe::detail
