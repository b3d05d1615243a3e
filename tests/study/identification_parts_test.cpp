// The parts of an identification: rows between rows, what a Jacobian says, quantiles.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/study/identification_fit.hpp"
#include "lithe/study/identification_judgement.hpp"
#include "lithe/study/sample_grid.hpp"

namespace lithe::testing {
namespace {

using detail::SampleGrid;

TEST(SampleGrid, EvenSamplesAreRows) {
  const SampleGrid grid(0.0, {0.5, 0.75, 1.0, 1.25});
  EXPECT_DOUBLE_EQ(grid.every(), 0.25);
  EXPECT_DOUBLE_EQ(grid.until(), 1.25);
  EXPECT_EQ(grid.at(0.75, {10, 11, 12, 13, 14, 15}), 13);
}

// Six rows determine a polynomial of fifth degree, also next to the ends.
TEST(SampleGrid, PolynomialsOfFifthDegreeAreExactBetweenRows) {
  const auto polynomial = [](double t) { return 1 - t + 2 * t * t - 3 * std::pow(t, 3) + 0.5 * std::pow(t, 5); };
  const std::vector<double> times{0.013, 0.11, 0.2, 0.33, 0.41, 0.499};
  const SampleGrid grid(0.0, times);
  std::vector<double> rows;
  for (int k = 0; k * grid.every() <= grid.until() * (1 + 1e-12); ++k) rows.push_back(polynomial(k * grid.every()));
  EXPECT_GE(grid.until(), times.back());
  for (const double t : times) EXPECT_NEAR(grid.at(t, rows), polynomial(t), 1e-13);
}

// Table values: Abramowitz and Stegun, table 26.10.
TEST(Student, QuantilesAreThoseOfTheTable) {
  EXPECT_NEAR(detail::student_quantile(0.95, 1e9), 1.95996, 1e-5);
  EXPECT_NEAR(detail::student_quantile(0.95, 60), 2.000, 5e-4);
  EXPECT_NEAR(detail::student_quantile(0.95, 10), 2.228, 2e-3);
  EXPECT_NEAR(detail::student_quantile(0.99, 30), 2.750, 5e-4);
}

// Columns e1, e2 and e1 + 1e-9 e3: the first and the third are one, up to what derivatives are exact to.
TEST(Judgement, AColumnThatIsNearlyAnotherIsNotTold) {
  MatrixX J = MatrixX::Zero(4, 3);
  J(0, 0) = J(0, 2) = 100.0;
  J(1, 1) = 50.0;
  J(2, 2) = 1e-7;
  const auto judgement = detail::judge_parameters(J, VectorX::Constant(3, 1e-6), 2.0, 1.0);
  EXPECT_FALSE(judgement.is_determined[0]);
  EXPECT_TRUE(judgement.is_determined[1]);
  EXPECT_FALSE(judgement.is_determined[2]);
  EXPECT_NEAR(judgement.covariance(1, 1), 1.0 / (50.0 * 50.0), 1e-12);
  EXPECT_EQ(judgement.is_blind, (std::vector<bool>{false, false, true}));
}

// The covariance is the inverse of J'J: of [[4, 1], [1, 3]], by hand [[3, -1], [-1, 4]] / 11.
TEST(Judgement, CovarianceIsTheInverseOfTheInformation) {
  MatrixX J = MatrixX::Zero(3, 2);
  J(0, 0) = 2.0;
  J(0, 1) = 0.5;
  J(1, 1) = std::sqrt(2.75);
  const auto judgement = detail::judge_parameters(J, VectorX::Constant(2, 1e-6), 2.0, 2.0);
  EXPECT_NEAR(judgement.covariance(0, 0), 3.0 / 11, 1e-12);
  EXPECT_NEAR(judgement.covariance(0, 1), -1.0 / 11, 1e-12);
  EXPECT_NEAR(judgement.covariance(1, 1), 4.0 / 11, 1e-12);
  EXPECT_TRUE(judgement.is_determined[0] && judgement.is_determined[1]);
}

// Rosenbrock's valley, least at (1, 1); within x <= 0.5 at (0.5, 0.25). Trials beyond x = 3 have no residuals.
TEST(LeastSquares, FollowsAValleyWithinBounds) {
  const detail::Residuals valley = [](const VectorX& x, VectorX& r, MatrixX* J) {
    if (std::abs(x[0]) > 3.0) return false;
    r << 10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0];
    if (J != nullptr) {
      J->resize(2, 2);
      *J << -20.0 * x[0], 10.0, -1.0, 0.0;
    }
    return true;
  };
  detail::FitOptions options;
  options.lower = VectorX::Constant(2, -INFINITY);
  options.upper = VectorX::Constant(2, INFINITY);
  const VectorX start = (VectorX(2) << -1.2, 1.0).finished();
  const detail::Fit free = detail::fit_least_squares(valley, 2, start, options);
  EXPECT_TRUE(free.converged) << free.ending;
  EXPECT_NEAR(free.x[0], 1.0, 1e-6);
  EXPECT_NEAR(free.x[1], 1.0, 1e-6);
  options.upper[0] = 0.5;
  const detail::Fit bound = detail::fit_least_squares(valley, 2, start, options);
  EXPECT_NEAR(bound.x[0], 0.5, 1e-9);
  EXPECT_NEAR(bound.x[1], 0.25, 1e-6);
}

}  // namespace
}  // namespace lithe::testing
