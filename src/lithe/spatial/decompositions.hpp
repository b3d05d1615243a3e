#pragma once
// Rank-revealing solutions of dense systems, compiled once: the templates behind them are the slowest to compile of
// all. Matrices are expected to be scaled to order one; one whose entries are all below the threshold has rank zero.

#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Rows and columns that have to do with each other: two of a matrix are in the same group when nonzero entries lead
/// from one to the other. Groups are independent problems.
struct MatrixGroups {
  std::vector<int> of_row, of_column;  ///< -1: nothing but zeros
  int count = 0;
};
MatrixGroups group_entries(const MatrixX& A);

struct MinimumNorm {
  VectorX x;
  int rank = 0;
};
/// The shortest x that makes |A x - b| least; pivots below `threshold` times the largest count as zero.
MinimumNorm solve_minimum_norm(const MatrixX& A, const VectorX& b, double threshold);

/// Columns of A in the order in which pivoting takes them; the first `rank` of them are independent.
struct PivotedColumns {
  std::vector<int> order;
  int rank = 0;
};
PivotedColumns pivot_columns(const MatrixX& A, double threshold);

/// Number of independent columns, group by group.
int rank_of_groups(const MatrixX& A, double threshold);

/// X that makes A X - B least; A has independent columns.
MatrixX solve_least_squares(const MatrixX& A, const MatrixX& B);

VectorX singular_values(const MatrixX& A);

struct LeftSingular {
  VectorX values;
  MatrixX vectors;  ///< columns
};
LeftSingular left_singular_vectors(const MatrixX& A);

}  // namespace lithe::detail
