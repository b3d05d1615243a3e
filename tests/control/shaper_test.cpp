// Input shapers against closed forms and against the vibration that they leave.

#include "lithe/control/shaper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

constexpr ShaperKind all_kinds[] = {ShaperKind::zv, ShaperKind::zvd, ShaperKind::zvdd, ShaperKind::ei};

// K = exp(-d pi/sqrt(1 - d^2)): [1, K]/(1 + K), [1, 2 K, K^2]/(1 + K)^2, half a damped period apart.
TEST(Shaper, Amplitudes) {
  const double f = 3.0, d = 0.1, K = std::exp(-d * std::numbers::pi / std::sqrt(1 - d * d));
  const Shaper zv = make_shaper(ShaperKind::zv, f, d), zvd = make_shaper(ShaperKind::zvd, f, d);
  ASSERT_EQ(zv.impulses.size(), 2u);
  EXPECT_NEAR(zv.impulses[1].t, 1 / (2 * f), 1e-15);
  EXPECT_NEAR(zv.impulses[0].amount, 1 / (1 + K), 1e-15);
  EXPECT_NEAR(zv.impulses[1].amount, K / (1 + K), 1e-15);
  ASSERT_EQ(zvd.impulses.size(), 3u);
  EXPECT_NEAR(zvd.impulses[1].amount, 2 * K / ((1 + K) * (1 + K)), 1e-15);
  EXPECT_NEAR(zvd.duration(), 1 / f, 1e-15);
  const Shaper ei = make_shaper(ShaperKind::ei, f, 0.0, 0.05);
  EXPECT_NEAR(ei.impulses[0].amount, 1.05 / 4, 1e-15);
  EXPECT_NEAR(ei.impulses[1].amount, 0.95 / 2, 1e-15);
}

// Amounts add up to one; at the frequency ZV, ZVD, ZVDD leave nothing and EI what was allowed; about it the first ones
// grow with the first, second and third power of the distance.
TEST(Shaper, Vibration) {
  for (const double d : {0.0, 0.02, 0.2})
    for (const ShaperKind kind : all_kinds) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(d));
      const Shaper shaper = make_shaper(kind, 2.0, d);
      double sum = 0.0;
      for (const Impulse& impulse : shaper.impulses) {
        sum += impulse.amount;
        EXPECT_GT(impulse.amount, 0.0);
      }
      EXPECT_NEAR(sum, 1.0, 1e-14);
      EXPECT_NEAR(residual_vibration(shaper, 2.0, d), kind == ShaperKind::ei ? 0.05 : 0.0, 1e-14);
      if (kind == ShaperKind::ei || d > 0) continue;
      const int power = static_cast<int>(shaper.impulses.size()) - 1;
      const double near = residual_vibration(shaper, 2.02, d), far = residual_vibration(shaper, 2.04, d);
      EXPECT_NEAR(std::log2(far / near), power, 0.01);
    }
}

// What is left of an oscillator under a shaped step, from its own equation: x'' + 2 d w x' + w^2 x = w^2 r(t), in closed
// form for each step of r.
TEST(Shaper, OscillatorAfterAShapedStep) {
  const double f = 1.5, d = 0.05, wd = 2 * std::numbers::pi * f, w = wd / std::sqrt(1 - d * d), s = d * w;
  const Shaper shaper = convolve(make_shaper(ShaperKind::zv, f, d), make_shaper(ShaperKind::zvd, 4.0, 0.01));
  double largest = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double t = shaper.duration() + 0.01 * i;
    double x = 0.0;
    for (const Impulse& step : shaper.impulses) {
      const double past = t - step.t;
      x += step.amount * (1 - std::exp(-s * past) * (std::cos(wd * past) + s / wd * std::sin(wd * past)));
    }
    largest = std::max(largest, std::abs(x - 1));
  }
  EXPECT_LT(largest, 1e-14);
}

TEST(Shaper, Band) {
  for (const double width : {0.0, 0.1, 0.2, 0.4}) {
    const double low = 3 * (1 - width), high = 3 * (1 + width);
    const Shaper shaper = shaper_for_band(low, high, 0.01);
    for (int i = 0; i <= 50; ++i) EXPECT_LE(residual_vibration(shaper, low + (high - low) * i / 50, 0.01), 0.0501);
  }
  EXPECT_LT(shaper_for_band(3, 3, 0.01).duration(), shaper_for_band(2.7, 3.3, 0.01).duration());
  EXPECT_THROW(shaper_for_band(1, 30, 0.0), MechanismError);
}

TEST(Shaper, Sampled) {
  const Shaper shaper = make_shaper(ShaperKind::zvd, 2.0, 0.03);
  const VectorX filter = sampled_shaper(shaper, 0.011);
  double sum = 0, mean = 0, wanted = 0;
  for (Eigen::Index k = 0; k < filter.size(); ++k) {
    sum += filter[k];
    mean += filter[k] * static_cast<double>(k) * 0.011;
  }
  for (const Impulse& impulse : shaper.impulses) wanted += impulse.amount * impulse.t;
  EXPECT_NEAR(sum, 1.0, 1e-14);
  EXPECT_NEAR(mean, wanted, 1e-14);
  // A mean over one period leaves nothing of an undamped mode, to the second order of the sample time.
  const VectorX smooth = sampled_smoother(2.0, 0.003);
  EXPECT_NEAR(smooth.sum(), 1.0, 1e-14);
  std::complex<double> left = 0;
  for (Eigen::Index k = 0; k < smooth.size(); ++k)
    left += smooth[k] * std::polar(1.0, 2 * std::numbers::pi * 2.0 * 0.003 * static_cast<double>(k));
  EXPECT_LT(std::abs(left), 1e-3);
  VectorX step(3);
  step << 0, 1, 1;
  const VectorX shaped = filter_command(filter, step);
  EXPECT_EQ(shaped.size(), 3 + filter.size() - 1);
  EXPECT_NEAR(shaped[shaped.size() - 1], 1.0, 1e-14);
  EXPECT_NEAR(shaped[1], filter[0], 1e-15);
}

TEST(Shaper, BadInput) {
  const auto message = [](double frequency, double damping) {
    try {
      make_shaper(ShaperKind::zv, frequency, damping);
    } catch (const MechanismError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(0, 0), "the frequency of a shaper is 0 Hz; it must be positive");
  EXPECT_EQ(message(1, 1),
            "the damping ratio of a shaper is 1; it must be at least 0 and below 1: other modes do not vibrate");
}

}  // namespace
}  // namespace lithe::testing
