// Sampling, loops and responses of linear systems against closed forms.

#include "lithe/control/state_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/control/response.hpp"
#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

StateSpace system_of(const MatrixX& A, const MatrixX& B, const MatrixX& C) {
  return {A, B, C, MatrixX::Zero(C.rows(), B.cols())};
}

MatrixX one_by_one(double value) { return MatrixX::Constant(1, 1, value); }

/// x' = -a x + u, y = x
StateSpace lag(double a) { return system_of(one_by_one(-a), one_by_one(1.0), one_by_one(1.0)); }

StateSpace double_integrator() {
  MatrixX A(2, 2), B(2, 1), C(1, 2);
  A << 0, 1, 0, 0;
  B << 0, 1;
  C << 1, 0;
  return system_of(A, B, C);
}

/// y'' + 2 d w y' + w^2 y = w^2 u
StateSpace oscillator(double w, double d) {
  MatrixX A(2, 2), B(2, 1), C(1, 2);
  A << 0, 1, -w * w, -2 * d * w;
  B << 0, w * w;
  C << 1, 0;
  return system_of(A, B, C);
}

// x(T) = e^-aT x + (1 - e^-aT)/a u; with the input late by (1 + f) T, u[k-2] acts for f T and u[k-1] for the rest.
TEST(StateSpace, SampledLag) {
  const double a = 3.0, T = 0.2, f = 0.3;
  const StateSpace plain = sample(lag(a), T);
  EXPECT_NEAR(plain.A(0, 0), std::exp(-a * T), 1e-15);
  EXPECT_NEAR(plain.B(0, 0), (1 - std::exp(-a * T)) / a, 1e-15);
  const StateSpace late = sample(lag(a), T, (1 + f) * T);
  ASSERT_EQ(late.A.rows(), 3);
  EXPECT_NEAR(late.A(0, 0), std::exp(-a * T), 1e-15);
  EXPECT_NEAR(late.A(0, 1), (1 - std::exp(-a * (1 - f) * T)) / a, 1e-15);
  EXPECT_NEAR(late.A(0, 2), std::exp(-a * (1 - f) * T) * (1 - std::exp(-a * f * T)) / a, 1e-15);
  EXPECT_EQ(late.A(2, 1), 1.0);
  EXPECT_EQ(late.B(1, 0), 1.0);
  EXPECT_EQ(late.B(0, 0), 0.0);
  // 0.3/0.1 is a little less than three in doubles, and three samples all the same.
  EXPECT_EQ(sample(lag(a), 0.1, 0.3).A.rows(), 4);
}

TEST(StateSpace, SampledDoubleIntegrator) {
  const double T = 0.25;
  const StateSpace sampled = sample(double_integrator(), T);
  EXPECT_NEAR(sampled.A(0, 1), T, 1e-15);
  EXPECT_NEAR(sampled.B(0, 0), T * T / 2, 1e-15);
  EXPECT_NEAR(sampled.B(1, 0), T, 1e-15);
}

// A fast, hardly damped mode over many of its periods: e^At from its closed form.
TEST(StateSpace, SampledOscillator) {
  const double w = 2000.0, d = 0.01, T = 0.05;
  const StateSpace sampled = sample(oscillator(w, d), T);
  const double wd = w * std::sqrt(1 - d * d), decay = std::exp(-d * w * T);
  const double c = std::cos(wd * T), s = std::sin(wd * T);
  EXPECT_NEAR(sampled.A(0, 0), decay * (c + d * w / wd * s), 1e-12);
  EXPECT_NEAR(sampled.A(0, 1) * w, decay * w / wd * s, 1e-12);
  EXPECT_NEAR(sampled.A(1, 0) / w, -decay * w / wd * s, 1e-12);
  EXPECT_NEAR(sampled.B(0, 0), 1 - sampled.A(0, 0), 1e-12);
}

// (1/(s + 1)) (1/(s + 2)), and 1/(s + 1) with 1/(s + 2) in its feedback: (s + 2)/(s^2 + 3 s + 3).
TEST(StateSpace, SeriesAndFeedback) {
  const std::complex<double> s(0.0, 2 * std::numbers::pi * 0.4);
  const Eigen::MatrixXcd chain = frequency_response(series(lag(1), lag(2)), {0.4})[0];
  EXPECT_NEAR(std::abs(chain(0, 0) - 1.0 / ((s + 1.0) * (s + 2.0))), 0.0, 1e-15);
  const StateSpace loop = feedback(lag(1), lag(2));
  EXPECT_NEAR(std::abs(frequency_response(loop, {0.4})[0](0, 0) - (s + 2.0) / (s * s + 3.0 * s + 3.0)), 0.0, 1e-15);
  const std::vector<Pole> found = poles(loop);
  EXPECT_NEAR(std::abs(found[0].rate), std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(found[0].damping(), 3 / (2 * std::sqrt(3.0)), 1e-14);
}

// Feedthroughs: y = u (gain 2) and a controller of gain 3: closed loop 2/(1 + 6); with sign + and 1/2 nothing is left.
TEST(StateSpace, LoopOfGains) {
  const StateSpace two{MatrixX(0, 0), MatrixX(0, 1), MatrixX(1, 0), one_by_one(2)};
  StateSpace controller = two;
  controller.D(0, 0) = 3;
  EXPECT_NEAR(feedback(two, controller).D(0, 0), 2.0 / 7.0, 1e-16);
  controller.D(0, 0) = 0.5;
  EXPECT_THROW(feedback(two, controller, +1), PhysicsError);
}

TEST(StateSpace, RefusesWhatDoesNotFit) {
  StateSpace wrong = lag(1);
  wrong.C = MatrixX::Zero(1, 2);
  try {
    require_consistent(wrong);
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(), "linear system: C has 1 rows and 2 columns; 1 x 1 fit the other matrices");
  }
  EXPECT_THROW(sample(sample(lag(1), 0.1), 0.1), MechanismError);
  EXPECT_THROW(series(lag(1), sample(lag(1), 0.1)), MechanismError);
}

// w^2/(w^2 - W^2 + 2 j d w W), at the resonance too, and the steady sine of the sampled system.
TEST(Response, Oscillator) {
  const double w = 50, d = 0.002;
  const StateSpace plant = oscillator(w, d);
  const std::vector<double> grid = frequency_grid(plant, 0.1, 100, 50);
  const std::vector<Eigen::MatrixXcd> found = frequency_response(plant, grid);
  double largest = 0.0;
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const std::complex<double> s(0.0, 2 * std::numbers::pi * grid[k]);
    const std::complex<double> exact = w * w / (s * s + 2 * d * w * s + w * w);
    EXPECT_NEAR(std::abs(found[k](0, 0) - exact), 0.0, 1e-11 * std::abs(exact));
    largest = std::max(largest, std::abs(found[k](0, 0)));
  }
  EXPECT_NEAR(largest, 1 / (2 * d), 1e-3 / (2 * d));  // the grid meets the peak
  EXPECT_NEAR(static_gain(plant)(0, 0), 1.0, 1e-14);
  EXPECT_TRUE(std::isinf(static_gain(double_integrator())(0, 0)));
}

// 1 - e^-dwt (cos wd t + d w/wd sin wd t)
TEST(Response, Step) {
  const double w = 7, d = 0.3, wd = w * std::sqrt(1 - d * d), h = 0.05;
  const MatrixX found = step_response(oscillator(w, d), 0, h, 100);
  for (int k = 0; k <= 100; ++k) {
    const double t = k * h;
    EXPECT_NEAR(found(k, 0), 1 - std::exp(-d * w * t) * (std::cos(wd * t) + d * w / wd * std::sin(wd * t)), 1e-13);
  }
}

// L = k/(s (s + 1) (s + 2)): the phase is -180 degrees at w = sqrt 2, where |L| = k/6. At k = 2 the gain crosses one at
// w with w^2 (w^2 + 1) (w^2 + 4) = 4.
TEST(Response, Margins) {
  StateSpace integrator = lag(0);
  integrator.B *= 2;
  const StateSpace loop = series(integrator, series(lag(1), lag(2)));
  const LoopMargins found = loop_margins(loop)[0];
  EXPECT_NEAR(found.gain_up, 3.0, 1e-9);
  EXPECT_NEAR(2 * std::numbers::pi * found.up_at, std::sqrt(2.0), 1e-9);
  EXPECT_EQ(found.gain_down, 0.0);
  double x = 0.5;  // w^2, by Newton's method
  for (int i = 0; i < 50; ++i) x -= (x * (x + 1) * (x + 4) - 4) / (3 * x * x + 10 * x + 4);
  const double w = std::sqrt(x), phase = std::numbers::pi / 2 - std::atan(w) - std::atan(w / 2);
  EXPECT_NEAR(found.phase, phase, 1e-9);
  EXPECT_NEAR(found.delay, phase / w, 1e-9);
  EXPECT_NEAR(2 * std::numbers::pi * found.crossover, w, 1e-9);
}

// Two loops that do not touch each other have the margins of each; with a coupling L12 L21 the one that is opened sees
// L11 - L12 L21/(1 + L22).
TEST(Response, MarginsOfTwoLoops) {
  StateSpace two{-MatrixX::Identity(2, 2), MatrixX::Identity(2, 2), MatrixX::Identity(2, 2), MatrixX::Zero(2, 2)};
  two.C << 3, 1, -2, 4;  // L = C/(s + 1)
  const std::vector<LoopMargins> found = loop_margins(two);
  const double f = found[0].crossover;
  const std::complex<double> lagging = 1.0 / std::complex<double>(1.0, 2 * std::numbers::pi * f);
  const std::complex<double> opened = 3.0 * lagging + 2.0 * lagging * lagging / (1.0 + 4.0 * lagging);
  EXPECT_NEAR(std::abs(opened), 1.0, 1e-9);
  EXPECT_NEAR(found[0].phase, std::abs(std::arg(-opened)), 1e-9);
  EXPECT_TRUE(std::isinf(found[0].gain_up));
}

}  // namespace
}  // namespace lithe::testing
