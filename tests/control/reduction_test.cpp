// Smaller models: bounds that hold, parts that are exact, and two time scales.

#include "lithe/control/reduction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/control/response.hpp"
#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

/// Oscillators side by side, one input, one output, and a mass that nothing holds when `free`.
StateSpace oscillators(const std::vector<double>& rates, double damping, bool free) {
  const auto n = static_cast<Eigen::Index>(2 * rates.size() + (free ? 2 : 0));
  StateSpace system{MatrixX::Zero(n, n), MatrixX::Zero(n, 1), MatrixX::Zero(1, n), MatrixX::Zero(1, 1)};
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(2 * k);
    system.A(i, i + 1) = 1;
    system.A(i + 1, i) = -rates[k] * rates[k];
    system.A(i + 1, i + 1) = -2 * damping * rates[k];
    system.B(i + 1, 0) = 1;
    system.C(0, i) = 1 + 0.1 * static_cast<double>(k);
  }
  if (free) {
    system.A(n - 2, n - 1) = 1;
    system.B(n - 1, 0) = 1;
    system.C(0, n - 2) = 1;
  }
  return system;
}

double largest_difference(const StateSpace& a, const StateSpace& b) {
  const std::vector<double> grid = frequency_grid(a, 1e-3, 1e3, 300);
  const auto ga = frequency_response(a, grid), gb = frequency_response(b, grid);
  double worst = 0.0;
  for (std::size_t k = 0; k < grid.size(); ++k) worst = std::max(worst, std::abs(ga[k](0, 0) - gb[k](0, 0)));
  return worst;
}

// Hankel values of 1/(s + a): 1/(2 a).
TEST(Reduction, HankelValueOfALag) {
  const MatrixX one = MatrixX::Ones(1, 1);
  EXPECT_NEAR(gramians({-4 * one, one, one, 0 * one}).hankel[0], 1.0 / 8, 1e-15);
}

TEST(Reduction, BalancedBoundHolds) {
  const StateSpace full = oscillators({1, 5, 20, 100}, 0.05, false);
  for (const int order : {2, 4, 6}) {
    const BalancedModel small = balanced_truncation(full, order);
    EXPECT_EQ(small.reduced.system.A.rows(), order);
    EXPECT_TRUE(is_stable(small.reduced.system));
    EXPECT_LE(largest_difference(full, small.reduced.system), small.bound * (1 + 1e-9));
    EXPECT_GT(largest_difference(full, small.reduced.system), 0.2 * small.bound);
    EXPECT_NEAR((small.reduced.left * small.reduced.right - MatrixX::Identity(order, order)).norm(), 0.0, 1e-9);
  }
  const int order = balanced_order(full, 1e-2);
  EXPECT_LE(balanced_truncation(full, order).bound, 1e-2 * balanced_truncation(full, order).hankel[0]);
}

// A free mass does not decay: it is kept, and so is everything that it answers.
TEST(Reduction, RigidMotionStays) {
  const StateSpace full = oscillators({5, 20, 100}, 0.05, true);
  const BalancedModel small = balanced_truncation(full, 4);
  EXPECT_EQ(small.unstable, 2);
  EXPECT_EQ(small.hankel.size(), 6);
  EXPECT_LE(largest_difference(full, small.reduced.system), small.bound * (1 + 1e-6));
  EXPECT_THROW(balanced_truncation(full, 1), MechanismError);
}

// Of oscillators side by side the slow ones are left as they are, and the answer at rest is exact.
TEST(Reduction, ModalTruncation) {
  const StateSpace full = oscillators({1, 5, 20, 100}, 0.05, false);
  const ReducedModel small = modal_truncation(full, 5);  // no half of a pair
  EXPECT_EQ(small.system.A.rows(), 4);
  StateSpace exact = oscillators({1, 5}, 0.05, false);
  exact.D(0, 0) = 1.2 / 400 + 1.3 / 10000;
  EXPECT_LT(largest_difference(small.system, exact), 1e-12);
  EXPECT_NEAR(static_gain(small.system)(0, 0), static_gain(full)(0, 0), 1e-13);
  EXPECT_EQ(states_below(full, 5.0 / 6.0), 4);
  EXPECT_EQ(modal_truncation(full, 0).system.A.rows(), 0);
}

// Two masses m, M with a spring k between them, the force at M: with the stiff spring at rest in its own time scale one mass
// m + M is left, and the fast pole is that of the spring with both masses, the first one included.
TEST(Reduction, TwoTimeScales) {
  const double m = 2, M = 3, k = 5e5;
  // Coordinates: X of M and the stretch e of the spring. m (X'' + e'') = -k e; M X'' = k e + u.
  StateSpace system{MatrixX::Zero(4, 4), MatrixX::Zero(4, 1), MatrixX::Zero(1, 4), MatrixX::Zero(1, 1)};
  system.A(0, 2) = system.A(1, 3) = 1;
  system.A(2, 1) = k / M;
  system.A(3, 1) = -k / M - k / m;
  system.B << 0, 0, 1 / M, -1 / M;
  system.C(0, 0) = 1;
  const TimeScales scales = separate_time_scales(system, {1, 3});
  EXPECT_NEAR(scales.slow.B(1, 0), 1 / (m + M), 1e-15);
  EXPECT_NEAR(std::abs(scales.fast_poles[0].rate), std::sqrt(k / m + k / M), 1e-9);
  EXPECT_TRUE(std::isinf(scales.ratio));
  EXPECT_LT(scales.pole_error, 1e-9);
  // With a servo spring on M the slow pole is sqrt(c/(m + M)).
  const double c = 20;
  system.A(2, 0) = -c / M;
  system.A(3, 0) = c / M;
  const TimeScales held = separate_time_scales(system, {1, 3});
  EXPECT_NEAR(held.fastest_slow, std::sqrt(c / (m + M)), 1e-12);
  EXPECT_NEAR(held.ratio, std::sqrt((k / m + k / M) / (c / (m + M))), 1e-6);
  EXPECT_LT(held.pole_error, 1e-4);
}

TEST(Reduction, NothingStiff) {
  StateSpace system = oscillators({}, 0.0, true);
  EXPECT_THROW(residualize(system, {0, 1}), PhysicsError);
}

}  // namespace
}  // namespace lithe::testing
