// Small symmetric systems: against the decomposition of Eigen, which shares no code with ours.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "lithe/dynamics/cholesky.hpp"

namespace lithe::detail {
namespace {

// Every size that the compiler unrolls, those beside them, and one with several groups of four rows.
TEST(SolvePositive, EqualsEigen) {
  std::mt19937 dice(1);
  std::normal_distribution<double> draw;
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 15}) {
    Eigen::MatrixXd root(n, n);
    for (double& entry : root.reshaped()) entry = draw(dice);
    const Eigen::MatrixXd full = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd right(n);
    for (double& entry : right) entry = draw(dice);

    RowMatrixOf<double> G = full;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) G(i, j) = std::nan("");  // the upper triangle does not matter
    Eigen::VectorXd x = right;
    ASSERT_EQ(solve_positive(G, x.data()), -1) << n;

    const Eigen::VectorXd expected = full.llt().solve(right);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(full).eigenvalues();
    const double condition = values[n - 1] / values[0];
    EXPECT_LE((x - expected).norm(), 1e-15 * n * condition * expected.norm()) << n;
  }
}

TEST(SolvePositive, NamesTheRowWithoutInertia) {
  for (const int n : {2, 3, 5}) {
    // The last row is the sum of the others.
    Eigen::MatrixXd root = Eigen::MatrixXd::Identity(n, n);
    root.row(n - 1) = root.topRows(n - 1).colwise().sum();
    RowMatrixOf<double> G = root * root.transpose();
    Eigen::VectorXd x = Eigen::VectorXd::Ones(n);
    EXPECT_EQ(solve_positive(G, x.data()), n - 1);
  }
}

}  // namespace
}  // namespace lithe::detail
