// Controllers in continuous time, by themselves: transfer functions, limits, chains.

#include "lithe/control/continuous_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "lithe/control/response.hpp"
#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

std::complex<double> value_at(const TransferFunction& f, std::complex<double> s) {
  return (f.numerator[0] + f.numerator[1] * s + f.numerator[2] * s * s) /
         (f.denominator[0] + f.denominator[1] * s + f.denominator[2] * s * s);
}

TEST(FilterBank, HasItsTransferFunctionOnEverySignal) {
  for (const TransferFunction& filter : {notch(30.0, 0.5, 0.1), low_pass(12.0), lead_lag(3.0, 40.0, 2.5),
                                         TransferFunction{{2.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, 0.0}}) {
    const StateSpace bank = filter_bank(filter, 3);
    const std::vector<double> frequencies{0.1, 2.0, 4.7, 50.0};
    const auto answers = frequency_response(bank, frequencies);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const std::complex<double> expected = value_at(filter, {0.0, 2 * std::numbers::pi * frequencies[k]});
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          EXPECT_LT(std::abs(answers[k](i, j) - (i == j ? expected : 0.0)), 1e-12 * (1 + std::abs(expected)));
    }
  }
  EXPECT_THROW(filter_bank({{0.0, 0.0, 1.0}, {1.0, 1.0, 0.0}, 0.0}, 1), MechanismError);
}

// kp = 2, ki = 5, kd = 3, w = 10: u = 2 e + s + 30 (e - z), s' = 5 e, z' = 10 (e - z).
TEST(ContinuousPid, IsItsEquations) {
  ContinuousPid pid({{2.0, 5.0, 3.0, 10.0, false}, {1.0, 0.0, 4.0, 0.0, true}});
  ASSERT_EQ(pid.states(), 4);
  const std::vector<double> inputs{0.4, -0.2, 0.7};
  std::vector<double> x(4), rates(4), u(2);
  pid.begin(inputs, x);
  EXPECT_EQ(x, (std::vector<double>{0.0, 0.4, 0.0, -0.2}));
  x = {0.25, 0.1, 0.0, 0.0};
  pid.evaluate(0.0, x, inputs, u, rates);
  EXPECT_DOUBLE_EQ(u[0], 2 * 0.4 + 0.25 + 30 * 0.3);
  EXPECT_DOUBLE_EQ(u[1], -0.2 + 4 * 0.7);
  EXPECT_DOUBLE_EQ(rates[0], 5 * 0.4);
  EXPECT_DOUBLE_EQ(rates[1], 10 * 0.3);
  EXPECT_DOUBLE_EQ(rates[2], 0.0);
  // Beyond its limit the sum grows no more, but it falls.
  const std::vector<double> low{-1.0, -1.0}, high{1.0, 1.0};
  pid.set_limits(low, high);
  pid.evaluate(0.0, x, inputs, u, rates);
  EXPECT_EQ(rates[0], 0.0);
  const std::vector<double> back{-0.01, 0.0, 0.0};
  x = {5.0, -0.01, 0.0, 0.0};
  pid.evaluate(0.0, x, back, u, rates);
  EXPECT_DOUBLE_EQ(rates[0], -0.05);
  EXPECT_THROW(ContinuousPid({{1.0, 0.0, 1.0, 0.0, false}}), MechanismError);
}

TEST(ContinuousChain, IsOneAfterTheOther) {
  const StateSpace law{MatrixX::Constant(1, 1, -2.0),
                       MatrixX::Constant(1, 1, 3.0),
                       MatrixX::Constant(1, 1, 4.0),
                       MatrixX::Constant(1, 1, 5.0),
                       0.0,
                       {},
                       {},
                       {}};
  const auto chain = [&](const TransferFunction& filter) {
    std::vector<std::unique_ptr<ContinuousSystem>> then;
    then.push_back(std::make_unique<ContinuousLinear>(filter_bank(filter, 1)));
    return ContinuousChain(std::make_unique<ContinuousLinear>(law), std::move(then), 1);
  };
  ContinuousChain late = chain(low_pass(7.0)), prompt = chain(lead_lag(3.0, 9.0));
  EXPECT_EQ(late.states(), 3);
  EXPECT_FALSE(late.passes(0));
  EXPECT_TRUE(prompt.passes(0));
  const StateSpace expected = series(law, filter_bank(low_pass(7.0), 1));
  const std::vector<double> x{0.3, -0.2, 0.9}, input{0.6};
  std::vector<double> u(1), rates(3);
  late.evaluate(0.0, x, input, u, rates);
  const Eigen::Map<const VectorX> state(x.data(), 3);
  const VectorX wanted = expected.A * state + 0.6 * expected.B.col(0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rates[i], wanted[i], 1e-12);
  EXPECT_NEAR(u[0], (expected.C * state)[0] + 0.6 * expected.D(0, 0), 1e-12);
}

}  // namespace
}  // namespace lithe::testing
