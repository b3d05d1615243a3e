// Groups of a matrix: problems that have nothing to do with each other are told apart, and solved as if they were one.

#include "lithe/spatial/decompositions.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <random>
#include <utility>

namespace lithe::detail {
namespace {

/// Three blocks (2x3, 3x3 of rank 2, 1x1), a row and a column of zeros, rows and columns shuffled.
struct Shuffled {
  MatrixX A = MatrixX::Zero(7, 8);
  std::vector<int> row_block, column_block;  ///< -1: zeros

  Shuffled() {
    MatrixX plain = MatrixX::Zero(7, 8);
    plain.block(0, 0, 2, 3) << 1, 2, 0, 0, 1, -1;
    plain.block(2, 3, 3, 3) << 1, 0, 2, 0, 1, 1, 1, 1, 3;  // the last row is the sum of the others
    plain(5, 6) = 0.5;
    const std::vector<int> rows{4, 0, 6, 2, 5, 1, 3}, columns{7, 3, 0, 5, 1, 6, 2, 4};
    A = plain(rows, columns);
    const auto block_of_row = [](int i) { return i < 2 ? 0 : i < 5 ? 1 : i == 5 ? 2 : -1; };
    const auto block_of_column = [](int j) { return j < 3 ? 0 : j < 6 ? 1 : j == 6 ? 2 : -1; };
    for (const int i : rows) row_block.push_back(block_of_row(i));
    for (const int j : columns) column_block.push_back(block_of_column(j));
  }
};

TEST(MatrixGroups, AreTheBlocks) {
  const Shuffled example;
  const MatrixGroups groups = group_entries(example.A);
  EXPECT_EQ(groups.count, 3);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(groups.of_row[i] < 0, example.row_block[i] < 0);
    for (std::size_t j = 0; j < 8; ++j) {
      EXPECT_EQ(groups.of_column[j] < 0, example.column_block[j] < 0);
      if (example.row_block[i] < 0 || example.column_block[j] < 0) continue;
      EXPECT_EQ(groups.of_row[i] == groups.of_column[j], example.row_block[i] == example.column_block[j]);
    }
  }
}

TEST(MinimumNorm, OfGroupsIsThatOfTheWhole) {
  const Shuffled example;
  const VectorX b = VectorX::LinSpaced(7, -1.0, 2.0);
  const MinimumNorm found = solve_minimum_norm(example.A, b, 1e-10);
  EXPECT_EQ(found.rank, 2 + 2 + 1);
  EXPECT_EQ(rank_of_groups(example.A, 1e-10), found.rank);
  // The pseudo-inverse by singular values.
  const Eigen::JacobiSVD<MatrixX> svd(example.A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  EXPECT_LT((found.x - svd.solve(b)).norm(), 1e-12);
}

/// U diag(values) V^T, with U and V from random matrices.
MatrixX with_singular_values(const VectorX& values, Eigen::Index rows, Eigen::Index cols) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto orthogonal = [&](Eigen::Index size) {
    const MatrixX any = MatrixX::NullaryExpr(size, size, [&] { return normal(random); });
    return MatrixX(Eigen::HouseholderQR<MatrixX>(any).householderQ());
  };
  MatrixX S = MatrixX::Zero(rows, cols);
  S.diagonal() = values;
  return orthogonal(rows) * S * orthogonal(cols);
}

// They come out as they went in, but for rounding of the largest: close ones, zeros and ones that fall by ten each, in matrices of
// either shape, small and large.
TEST(SingularValues, AreThoseOfWhichTheMatrixIsMade) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 4}, {6, 6}, {6, 11}, {11, 6}, {24, 24}, {30, 26}}) {
    const Eigen::Index count = std::min(rows, cols);
    VectorX close = VectorX::Constant(count, 2.0), deficient = VectorX::LinSpaced(count, 3.0, 1.0), graded(count);
    if (count > 1) close[count - 1] = 2.0 - 1e-9;
    deficient.tail(count / 2).setZero();
    for (Eigen::Index i = 0; i < count; ++i) graded[i] = std::pow(10.0, -24.0 * static_cast<double>(i) / 24.0);
    for (const VectorX& values : {close, deficient, graded, VectorX(VectorX::Zero(count))}) {
      const VectorX found = singular_values(with_singular_values(values, rows, cols));
      ASSERT_EQ(found.size(), count);
      EXPECT_LT((found - values).cwiseAbs().maxCoeff(), 50 * count * 2.2e-16 * std::max(values[0], 1e-300))
          << rows << " x " << cols;
    }
  }
  EXPECT_EQ(singular_values(MatrixX(0, 3)).size(), 0);
  EXPECT_TRUE(std::isnan(singular_values(MatrixX::Constant(2, 3, NAN))[0]));
}

TEST(MinimumNorm, OfZerosIsZero) {
  const MinimumNorm found = solve_minimum_norm(MatrixX::Zero(2, 3), VectorX::Ones(2), 1e-10);
  EXPECT_EQ(found.rank, 0);
  EXPECT_EQ(found.x, VectorX::Zero(3));
}

}  // namespace
}  // namespace lithe::detail
