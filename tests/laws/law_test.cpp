#include "lithe/laws/law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lithe {
namespace {

struct Sample {
  double t, value, rate, second;
};

void expect_samples(const Law& law, const std::vector<Sample>& samples) {
  for (const Sample& s : samples) {
    SCOPED_TRACE(s.t);
    const Jet jet = law.at(s.t);
    EXPECT_NEAR(jet.value, s.value, 1e-13);
    EXPECT_NEAR(jet.rate, s.rate, 1e-12);
    EXPECT_NEAR(jet.second, s.second, 1e-11);
  }
}

TEST(Law, CycloidMatchesItsFormula) {
  // from 1 to 4 within 2 s from t = 0.5; closed form at tau = 0, 1/4, 1/2, 3/4, 1
  const Law law = CycloidLaw{1.0, 4.0, 0.5, 2.0};
  const double pi = std::numbers::pi;
  expect_samples(law, {{0.0, 1.0, 0.0, 0.0},
                       {0.5, 1.0, 0.0, 0.0},
                       {1.0, 1.0 + 3.0 * (0.25 - 0.5 / pi), 1.5, 1.5 * pi},
                       {1.5, 2.5, 3.0, 0.0},
                       {2.0, 1.0 + 3.0 * (0.75 + 0.5 / pi), 1.5, -1.5 * pi},
                       {2.5, 4.0, 0.0, 0.0},
                       {9.0, 4.0, 0.0, 0.0}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.5, 2.5}));
}

TEST(Law, DefaultPolynomialIsTheQuinticBlend) {
  // 10 tau^3 - 15 tau^4 + 6 tau^5, at rest outside
  const Law law = make_polynomial(2.0, 3.0, 1.0, 4.0, {0.0, 0.0}, {0.0, 0.0});
  const auto blend = [](double tau) { return 10 * pow(tau, 3) - 15 * pow(tau, 4) + 6 * pow(tau, 5); };
  const auto rate = [](double tau) { return 30 * tau * tau * (1 - tau) * (1 - tau); };
  const auto second = [](double tau) { return 60 * tau - 180 * tau * tau + 120 * tau * tau * tau; };
  for (const double tau : {0.0, 0.2, 0.5, 0.85, 1.0})
    expect_samples(law, {{1.0 + 4.0 * tau, 2.0 + blend(tau), rate(tau) / 4.0, second(tau) / 16.0}});
  expect_samples(law, {{0.0, 2.0, 0.0, 0.0}, {6.0, 3.0, 0.0, 0.0}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{1.0, 5.0}));
}

TEST(Law, PolynomialMeetsUnevenEndDerivatives) {
  // tests/oracles/laws.py, "polynomial with end derivatives" (SciPy BPoly.from_derivatives); 2.8 lies outside:
  // continued
  const Law law = make_polynomial(1.0, -2.0, 0.5, 2.0, {0.3, -2.0, 4.0}, {1.5});
  expect_samples(law, {{0.5, 1.0, 0.30000000000000027, -1.9999999999999996},
                       {0.9, 0.9766826666666671, -0.4285333333333331, -2.122666666666667},
                       {1.7, -0.30003199999999963, -2.8775999999999997, -2.5280000000000014},
                       {2.5, -2.0, 1.5000000000000002, 19.466666666666672},
                       {2.8, -0.40920425000000193, 10.082187499999995, 39.028166666666664}});
  EXPECT_TRUE(law.breakpoints().empty());
}

TEST(Law, PolynomialWithoutEndDerivativesIsALine) {
  const Law law = make_polynomial(1.0, 3.0, 0.0, 2.0, {}, {});
  expect_samples(law, {{0.5, 1.5, 1.0, 0.0}, {-1.0, 1.0, 0.0, 0.0}, {3.0, 3.0, 0.0, 0.0}});
}

TEST(Law, PolynomialRefusesABadDuration) {
  EXPECT_THROW(make_polynomial(0, 1, 0, 0, {}, {}), std::invalid_argument);
  EXPECT_THROW(make_polynomial(0, 1, 0, std::nan(""), {}, {}), std::invalid_argument);
}

TEST(Law, CoefficientsAscend) {
  // 1 - t + 0.5 t^3
  const Law law = PolynomialCoefficients{{1.0, -1.0, 0.0, 0.5}};
  expect_samples(law, {{2.0, 3.0, 5.0, 6.0}, {-1.0, 1.5, 0.5, -3.0}});
}

TEST(Law, BezierMatchesTheBernsteinForm) {
  // tests/oracles/laws.py, "Bezier on [1, 3]" (SciPy BPoly)
  const Law law = BezierLaw{{0.5, 2.0, -1.0, 3.0, 1.0}, 1.0, 2.0};
  expect_samples(law, {{1.0, 0.5, 3.0, -13.5},
                       {1.4, 0.9488000000000001, -0.031999999999999536, -2.6400000000000015},
                       {2.2, 1.1408000000000003, 1.0560000000000007, 1.4400000000000004},
                       {2.9, 1.3163468750000002, -2.3888749999999987, -14.283749999999996},
                       {3.0, 1.0, -4.0, -18.0},
                       {0.0, 0.5, 0.0, 0.0},
                       {4.0, 1.0, 0.0, 0.0}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{1.0, 3.0}));
}

TEST(Law, BezierOfOneOrTwoPoints) {
  expect_samples(BezierLaw{{7.0}, 0.0, 1.0}, {{0.5, 7.0, 0.0, 0.0}});
  expect_samples(BezierLaw{{1.0, 3.0}, 0.0, 4.0}, {{1.0, 1.5, 0.5, 0.0}});
}

const std::vector<double> knots{0.0, 0.3, 0.5, 1.1, 2.0, 2.2};
const std::vector<double> values{1.0, -0.5, 0.25, 2.0, -1.0, 0.5};

TEST(Law, CubicTableIsTheNaturalSpline) {
  // tests/oracles/laws.py, "natural spline" (SciPy CubicSpline)
  const Law law = make_table(knots, values, TableLaw::Interpolation::cubic);
  expect_samples(law, {{0.0, 1.0, -7.631243628950051, 0.0},
                       {0.1, 0.26611167742666214, -6.754162419300034, 17.541624193000338},
                       {0.3, -0.5, 0.2624872579001019, 52.62487257900101},
                       {0.47, 0.08704099770642187, 5.361458333333333, 7.363022426095839},
                       {0.8, 1.6837729357798168, 3.50630733944954, -12.41717635066259},
                       {1.5, 0.022577113300865537, -6.013138520783781, 4.083135122890464},
                       {2.0, -1.0, 4.870030581039749, 39.44954128440365},
                       {2.15, 0.06336009174311745, 8.568425076452591, 9.862385321100945},
                       {2.2, 0.5, 8.814984709480116, 0.0},
                       {-1.0, 1.0, 0.0, 0.0},
                       {3.0, 0.5, 0.0, 0.0}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.0, 2.2}));
}

TEST(Law, LinearAndHeldTables) {
  const Law linear = make_table(knots, values, TableLaw::Interpolation::linear);
  expect_samples(linear, {{0.0, 1.0, -5.0, 0.0}, {0.4, -0.125, 3.75, 0.0}, {2.2, 0.5, 7.5, 0.0}, {5.0, 0.5, 0.0, 0.0}});
  EXPECT_EQ(linear.breakpoints(), knots);
  const Law hold = make_table(knots, values, TableLaw::Interpolation::hold);
  expect_samples(hold, {{-1.0, 1.0, 0.0, 0.0}, {0.29, 1.0, 0.0, 0.0}, {0.3, -0.5, 0.0, 0.0}, {2.2, 0.5, 0.0, 0.0}});
  EXPECT_EQ(hold.breakpoints(), knots);
}

TEST(Law, TablesOfOneOrTwoSamples) {
  for (const auto kind :
       {TableLaw::Interpolation::hold, TableLaw::Interpolation::linear, TableLaw::Interpolation::cubic}) {
    const Law one = make_table({1.0}, {4.0}, kind);
    expect_samples(one, {{0.0, 4.0, 0.0, 0.0}, {1.0, 4.0, 0.0, 0.0}, {2.0, 4.0, 0.0, 0.0}});
    EXPECT_TRUE(one.breakpoints().empty());
  }
  expect_samples(make_table({0.0, 2.0}, {1.0, 5.0}, TableLaw::Interpolation::cubic), {{0.5, 2.0, 2.0, 0.0}});
}

TEST(Law, TablesAreChecked) {
  const auto linear = TableLaw::Interpolation::linear;
  EXPECT_THROW(make_table({}, {}, linear), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, 1.0}, {0.0}, linear), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, 1.0, 1.0}, {0.0, 1.0, 2.0}, linear), std::invalid_argument);
  EXPECT_THROW(make_table({0.0, std::nan("")}, {0.0, 1.0}, linear), std::invalid_argument);
}

TEST(Law, IsTheSumOfItsTerms) {
  Law law = ConstantLaw{1.0};
  law.add(PolynomialCoefficients{{0.0, 2.0}});
  law.add(ExpressionLaw{Expression::parse("t^2 + step(t - 1)", {}, true)});
  law.add(CycloidLaw{0.0, 0.0, 1.0, 3.0});
  expect_samples(law, {{3.0, 17.0, 8.0, 2.0}});
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{1.0, 4.0}));
  EXPECT_TRUE(Law{}.empty());
  expect_samples(Law{}, {{1.0, 0.0, 0.0, 0.0}});
}

}  // namespace
}  // namespace lithe
