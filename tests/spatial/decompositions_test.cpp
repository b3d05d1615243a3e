// Groups of a matrix: problems that have nothing to do with each other are told apart, and solved as if they were one.

#include "lithe/spatial/decompositions.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>

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

TEST(MinimumNorm, OfZerosIsZero) {
  const MinimumNorm found = solve_minimum_norm(MatrixX::Zero(2, 3), VectorX::Ones(2), 1e-10);
  EXPECT_EQ(found.rank, 0);
  EXPECT_EQ(found.x, VectorX::Zero(3));
}

}  // namespace
}  // namespace lithe::detail
