// Slow, fast and composite gains: the limit of time scales that are far apart (Kokotovic's theorem: poles of the loop are off those of
// both problems by a part of the order of the ratio), and the fast problem written out.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "lithe/control/synthesis.hpp"
#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

/// A cart (slow) with a bob on a stiff spring and damper: masses 2 and 1 kg, spring 1/eps^2, damper 0.4/eps.
StateSpace cart_with_bob(double eps) {
  const double k = 1 / (eps * eps), d = 0.4 / eps;
  StateSpace plant{
      MatrixX::Zero(4, 4), MatrixX::Zero(4, 1), MatrixX::Identity(4, 4), MatrixX::Zero(4, 1), 0.0, {}, {}, {}};
  // x, r (of the bob, relative to the cart), x', r': 2 x'' = u + k r + d r', r'' = - k r - d r' - x''.
  plant.A(0, 2) = plant.A(1, 3) = 1.0;
  plant.A.row(2) << 0, k / 2, 0, d / 2;
  plant.A.row(3) << 0, -1.5 * k, 0, -1.5 * d;
  plant.B(2, 0) = 0.5;
  plant.B(3, 0) = -0.5;
  return plant;
}

SynthesisOptions weighted(double eps, ModelReduction reduction) {
  SynthesisOptions options;
  VectorX q(4);
  // The spring force and its rate in fast time count as the place does.
  q << 4, std::pow(eps, -4), 1, std::pow(eps, -2);
  options.weights = {q.asDiagonal(), MatrixX::Identity(1, 1)};
  options.fast = {1, 3};
  options.reduction = reduction;
  return options;
}

/// Largest distance of a pole of the loop from the nearest one of the design, over its size.
double pole_error(const Synthesis& result) {
  double worst = 0.0;
  for (const Pole& pole : result.closed_poles) {
    double nearest = 1e300;
    for (const Pole& wanted : result.design_poles) nearest = std::min(nearest, std::abs(wanted.rate - pole.rate));
    worst = std::max(worst, nearest / std::abs(pole.rate));
  }
  return worst;
}

TEST(CompositeGains, PolesBecomeThoseOfBothProblems) {
  double before = 1.0;
  for (const double eps : {1e-2, 1e-3, 1e-4}) {
    const Synthesis result = synthesize(cart_with_bob(eps), weighted(eps, ModelReduction::composite));
    EXPECT_TRUE(result.is_stable());
    const double error = pole_error(result);
    EXPECT_LT(error, 0.2 * before) << eps;  // ten times closer each time, up to higher terms
    before = error;
  }
  EXPECT_LT(before, 1e-3);
}

// At rest of the fast states under the slow ones the composite force is the slow one.
TEST(CompositeGains, SlowMotionSeesTheSlowGainsAlone) {
  const double eps = 1e-2;
  const StateSpace plant = cart_with_bob(eps);
  const Synthesis slow = synthesize(plant, weighted(eps, ModelReduction::slow)),
                  fast = synthesize(plant, weighted(eps, ModelReduction::fast)),
                  both = synthesize(plant, weighted(eps, ModelReduction::composite));
  const Eigen::Vector2d xs(0.3, -0.7);
  const double us = -(slow.K * xs)[0];
  // The bob of 1 kg follows u/3: spring force - x''.
  VectorX x(4);
  x << xs[0], -eps * eps * us / 3, xs[1], 0;
  EXPECT_NEAR(-(both.K_whole * x)[0], us, 1e-9);
  // Off it the fast gains act.
  x[1] += 1e-4;
  x[3] += 2e-3;
  EXPECT_NEAR(-(both.K_whole * x)[0], us - (fast.K * Eigen::Vector2d(1e-4, 2e-3))[0], 1e-9);
}

// The fast problem by itself: r'' = -1.5 k r - 1.5 d r' - u/2.
TEST(FastGains, AreThoseOfTheFastSubsystem) {
  const double eps = 1e-2;
  const Synthesis fast = synthesize(cart_with_bob(eps), weighted(eps, ModelReduction::fast));
  MatrixX A(2, 2), B(2, 1);
  A << 0, 1, -1.5 / (eps * eps), -0.6 / eps;
  B << 0, -0.5;
  const MatrixX Q = Eigen::Vector2d(std::pow(eps, -4), std::pow(eps, -2)).asDiagonal();
  const RiccatiSolution expected = riccati(A, B, Q, MatrixX::Identity(1, 1));
  EXPECT_LT((fast.K - expected.K).norm(), 1e-9 * expected.K.norm());
  EXPECT_EQ(fast.K_whole(0, 0), 0.0);
  EXPECT_EQ(fast.K_whole(0, 2), 0.0);
}

TEST(CompositeGains, RefuseWhatTheyDoNotKnow) {
  SynthesisOptions options = weighted(0.01, ModelReduction::composite);
  options.period = 1e-3;
  options.delay = 1e-3;
  EXPECT_THROW(synthesize(cart_with_bob(0.01), options), MechanismError);
  options = weighted(0.01, ModelReduction::slow);
  options.fast = {0, 1, 2, 3};
  EXPECT_THROW(synthesize(cart_with_bob(0.01), options), MechanismError);
}

}  // namespace
}  // namespace lithe::testing
