// PID, filters and linear laws, sample by sample.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "lithe/control/filters.hpp"
#include "lithe/control/linear_controller.hpp"
#include "lithe/control/pid.hpp"

namespace lithe::testing {
namespace {

double answer(SampledSystem& system, double input) {
  double output = 0.0;
  system.sample(0.0, {&input, 1}, {&output, 1});
  return output;
}

// The formulas of pid.hpp by hand: h = 0.1, errors 1, 3, 2.
TEST(Pid, AddsUpSumsAndDifferences) {
  Pid pid({{2.0, 4.0, 0.5, 0.0, false}}, 0.1);
  EXPECT_NEAR(answer(pid, 1.0), 2.0 + 0.4 * 1.0 + 0.0, 1e-14);
  EXPECT_NEAR(answer(pid, 3.0), 6.0 + (0.4 + 0.8) + 0.5 * 2.0 / 0.1, 1e-14);
  EXPECT_NEAR(answer(pid, 2.0), 4.0 + (1.2 + 1.0) - 0.5 * 1.0 / 0.1, 1e-14);
}

// A ramp of slope s through a filtered derivative: d -> kd s.
TEST(Pid, FilteredDerivativeOfARampIsItsSlope) {
  Pid pid({{0.0, 0.0, 0.5, 50.0, false}}, 1e-3);
  double last = 0.0;
  for (int k = 0; k < 2000; ++k) last = answer(pid, 3.0 * k * 1e-3);
  EXPECT_NEAR(last, 1.5, 1e-12);
}

TEST(Pid, SumStandsStillWhileItCannotAct) {
  Pid pid({{1.0, 10.0, 0.0, 0.0, false}}, 0.1);
  const double low = -2.0, high = 2.0;
  pid.set_limits({&low, 1}, {&high, 1});
  for (int k = 0; k < 100; ++k) answer(pid, 5.0);  // far beyond the limit
  EXPECT_EQ(pid.state()[0], 0.0);
  // It answers at once: kp e + ki h (e + last)/2, held back where it would lead further out.
  EXPECT_NEAR(answer(pid, -1.0), -1.0 + 10.0 * 0.1 * (-1.0 + 5.0) / 2, 1e-14);
}

/// Amplitude and phase of a filter at w, from its answer to exp(i w t) after the transient.
std::complex<double> response(const TransferFunction& function, double h, double w) {
  DigitalFilter real(function, h, 1), imaginary(function, h, 1);
  std::complex<double> last;
  const int count = 20000;
  for (int k = 0; k <= count; ++k) last = {answer(real, std::cos(w * k * h)), answer(imaginary, std::sin(w * k * h))};
  return last / std::polar(1.0, w * count * h);
}

// The bilinear rule maps s = i w to i c tan(w h/2); with prewarping that is i w at the frequency itself.
TEST(DigitalFilter, IsExactAtItsOwnFrequency) {
  const double h = 1e-3, w = 2.0 * std::numbers::pi * 30.0;
  EXPECT_NEAR(std::abs(response(notch(w, 0.3), h, w)), 0.0, 1e-9);
  EXPECT_NEAR(std::abs(response(notch(w, 0.3, 0.03), h, w)), 0.1, 1e-9);
  const std::complex<double> cut = response(low_pass(w), h, w);
  EXPECT_NEAR(std::abs(cut), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(std::arg(cut), -std::numbers::pi / 2, 1e-9);
}

TEST(DigitalFilter, LeadLagHasTheWarpedResponse) {
  const double h = 1e-3, w = 100.0;
  const std::complex<double> s(0.0, 2.0 / h * std::tan(0.5 * w * h));
  const std::complex<double> expected = 2.0 * (1.0 + s / 40.0) / (1.0 + s / 300.0);
  EXPECT_NEAR(std::abs(response(lead_lag(40.0, 300.0, 2.0), h, w) - expected), 0.0, 1e-9);
}

TEST(DigitalFilter, RefusesFrequenciesBeyondHalfTheSampleRate) {
  EXPECT_THROW(DigitalFilter(notch(4000.0, 0.5), 1e-3, 1), std::invalid_argument);
}

// x <- x/2 + u, y = 3 x + u: y after an impulse is 1, 3, 3/2, 3/4, ...
TEST(LinearController, AnswersAnImpulse) {
  const auto one = [](double value) { return MatrixX::Constant(1, 1, value); };
  LinearController system(StateSpace{one(0.5), one(1.0), one(3.0), one(1.0), 1.0, {}, {}, {}});
  EXPECT_EQ(answer(system, 1.0), 1.0);
  EXPECT_EQ(answer(system, 0.0), 3.0);
  EXPECT_EQ(answer(system, 0.0), 1.5);
  system.state()[0] = 4.0;
  EXPECT_EQ(answer(system, 0.0), 12.0);
}

TEST(LinearController, SaysWhichMatrixDoesNotFit) {
  EXPECT_EQ(why_inconsistent(
                {MatrixX::Zero(2, 2), MatrixX::Zero(3, 1), MatrixX::Zero(1, 2), MatrixX::Zero(1, 1), 0.0, {}, {}, {}}),
            "B has 3 rows and 1 columns; 2 x 1 fit the other matrices");
}

// y = D u with D = 1 at 0 s and 3 at 2 s: in between 1 + t, outside as at the ends.
TEST(LinearController, InterpolatesOverTime) {
  const auto gain = [](double value) {
    return StateSpace{MatrixX(0, 0), MatrixX(0, 1), MatrixX(1, 0), MatrixX::Constant(1, 1, value), 1.0, {}, {}, {}};
  };
  LinearController system(std::vector<ScheduledSystem>{{0.0, gain(1.0)}, {2.0, gain(3.0)}});
  const std::pair<double, double> expected[] = {{-1.0, 1.0}, {0.0, 1.0}, {0.5, 1.5}, {2.0, 3.0}, {5.0, 3.0}};
  for (const auto& [t, value] : expected) {
    const double u = 1.0;
    double y = 0.0;
    system.sample(t, {&u, 1}, {&y, 1});
    EXPECT_DOUBLE_EQ(y, value) << t;
  }
  EXPECT_THROW(LinearController(std::vector<ScheduledSystem>{{1.0, gain(1.0)}, {1.0, gain(3.0)}}), MechanismError);
}

// A gain and a filter after it; the memory of both can be looked at and changed.
TEST(SampledChain, OneAfterTheOther) {
  const double h = 1e-2;
  std::vector<std::unique_ptr<SampledSystem>> then;
  then.push_back(std::make_unique<DigitalFilter>(low_pass(20.0), h, 1));
  SampledChain chain(std::make_unique<Pid>(std::vector<PidGains>{{2.0, 0.0, 0.0, 0.0, false}}, h), std::move(then), 1);
  DigitalFilter alone(low_pass(20.0), h, 1);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(answer(chain, std::sin(k)), answer(alone, 2.0 * std::sin(k)), 1e-15);
  ASSERT_EQ(chain.state().size(), 5u);
  chain.state()[3] += 1.0;  // comes out with the next sample
  EXPECT_NEAR(answer(chain, 0.0), answer(alone, 0.0) + 1.0, 1e-14);
}

}  // namespace
}  // namespace lithe::testing
