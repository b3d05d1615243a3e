#include "lithe/spatial/decompositions.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace lithe::detail {

MatrixGroups group_entries(const MatrixX& A) {
  // Columns that a row brings together get the smallest of their labels, by way of a chain of leaders.
  std::vector<int> leader(A.cols());
  std::iota(leader.begin(), leader.end(), 0);
  const auto leader_of = [&](int column) {
    while (leader[column] != column) column = leader[column] = leader[leader[column]];
    return column;
  };
  std::vector<int> first(A.rows(), -1);
  for (int j = 0; j < A.cols(); ++j)
    for (int i = 0; i < A.rows(); ++i) {
      if (A(i, j) == 0.0) continue;
      if (first[i] < 0) {
        first[i] = j;
        continue;
      }
      const auto [smaller, larger] = std::minmax({leader_of(first[i]), leader_of(j)});
      leader[larger] = smaller;
    }
  MatrixGroups groups{std::vector<int>(A.rows(), -1), std::vector<int>(A.cols(), -1), 0};
  std::vector<int> number(A.cols(), -1);
  for (int i = 0; i < A.rows(); ++i) {
    if (first[i] < 0) continue;
    int& group = number[leader_of(first[i])];
    if (group < 0) group = groups.count++;
    groups.of_row[i] = group;
  }
  for (int j = 0; j < A.cols(); ++j) groups.of_column[j] = number[leader_of(j)];
  return groups;
}

namespace {

/// The places of each group.
std::vector<std::vector<int>> places_of(const std::vector<int>& group, int count) {
  std::vector<std::vector<int>> places(count);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i] >= 0) places[group[i]].push_back(static_cast<int>(i));
  return places;
}

MinimumNorm solve_group(const MatrixX& A, const VectorX& b, double threshold) {
  MinimumNorm result{VectorX::Zero(A.cols()), 0};
  Eigen::CompleteOrthogonalDecomposition<MatrixX> solver;
  solver.setThreshold(threshold);
  solver.compute(A);
  if (solver.maxPivot() <= threshold) return result;
  result.x = solver.solve(b);
  result.rank = static_cast<int>(solver.rank());
  return result;
}

}  // namespace

MinimumNorm solve_minimum_norm(const MatrixX& A, const VectorX& b, double threshold) {
  if (A.size() == 0) return {VectorX::Zero(A.cols()), 0};
  const MatrixGroups groups = group_entries(A);
  if (groups.count == 1) return solve_group(A, b, threshold);
  MinimumNorm result{VectorX::Zero(A.cols()), 0};
  const auto rows = places_of(groups.of_row, groups.count), columns = places_of(groups.of_column, groups.count);
  for (int g = 0; g < groups.count; ++g) {
    const MinimumNorm part = solve_group(A(rows[g], columns[g]), b(rows[g]), threshold);
    result.x(columns[g]) = part.x;
    result.rank += part.rank;
  }
  return result;
}

PivotedColumns pivot_columns(const MatrixX& A, double threshold) {
  if (A.cols() == 0) return {{}, 0};
  Eigen::ColPivHouseholderQR<MatrixX> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  const auto& order = qr.colsPermutation().indices();
  return {{order.begin(), order.end()}, qr.maxPivot() > threshold ? static_cast<int>(qr.rank()) : 0};
}

int rank_of_groups(const MatrixX& A, double threshold) {
  const MatrixGroups groups = group_entries(A);
  const auto rows = places_of(groups.of_row, groups.count), columns = places_of(groups.of_column, groups.count);
  int rank = 0;
  for (int g = 0; g < groups.count; ++g) rank += pivot_columns(A(rows[g], columns[g]), threshold).rank;
  return rank;
}

MatrixX solve_least_squares(const MatrixX& A, const MatrixX& B) {
  if (A.size() == 0 || B.size() == 0) return MatrixX::Zero(A.cols(), B.cols());
  return Eigen::ColPivHouseholderQR<MatrixX>(A).solve(B);
}

namespace {

/// From here on dividing and conquering beats Jacobi's rotations, whose number grows with the fourth power of the size.
bool is_large(const MatrixX& A) { return std::min(A.rows(), A.cols()) > 24; }

/// Turns pairs of columns until all are orthogonal (Hestenes, 1958); then their lengths are the singular values.
VectorX lengths_of_orthogonal(MatrixX columns) {
  const Eigen::Index count = columns.cols();
  const double orthogonal = std::numeric_limits<double>::epsilon() * static_cast<double>(columns.rows());
  constexpr int most_sweeps = 60;  // six or so do
  VectorX squares(count);
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    squares = columns.colwise().squaredNorm();
    for (Eigen::Index i = 0; i + 1 < count; ++i) {
      for (Eigen::Index j = i + 1; j < count; ++j) {
        const double product = columns.col(i).dot(columns.col(j));
        if (!(product * product > orthogonal * orthogonal * squares[i] * squares[j])) continue;
        turned = true;
        const double ratio = (squares[j] - squares[i]) / (2.0 * product);
        const double tangent = std::copysign(1.0 / (std::abs(ratio) + std::sqrt(1.0 + ratio * ratio)), ratio);
        const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent), sine = cosine * tangent;
        double *first = columns.col(i).data(), *second = columns.col(j).data();
        for (Eigen::Index k = 0; k < columns.rows(); ++k) {
          const double x = first[k], y = second[k];
          first[k] = cosine * x - sine * y;
          second[k] = sine * x + cosine * y;
        }
        squares[i] = std::max(0.0, squares[i] - tangent * product);
        squares[j] += tangent * product;
      }
    }
  }
  VectorX values = columns.colwise().norm();
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace

VectorX singular_values(const MatrixX& A) {
  const Eigen::Index count = std::min(A.rows(), A.cols());
  if (count == 0) return VectorX(0);
  if (is_large(A)) return Eigen::BDCSVD<MatrixX>(A).singularValues();
  if (!A.allFinite()) return VectorX::Constant(count, std::numeric_limits<double>::quiet_NaN());
  // The rows of a triangle from pivoted elimination are nearly orthogonal already (Drmac and Veselic, 2008), and half the work of
  // Eigen's rotations, which are of rows and columns of all of A.
  const Eigen::ColPivHouseholderQR<MatrixX> qr(A.rows() < A.cols() ? MatrixX(A.transpose()) : A);
  MatrixX rows = MatrixX::Zero(count, count);
  for (Eigen::Index i = 0; i < count; ++i) rows.col(i).tail(count - i) = qr.matrixQR().row(i).segment(i, count - i);
  return lengths_of_orthogonal(std::move(rows));
}

LeftSingular left_singular_vectors(const MatrixX& A) {
  if (A.size() == 0) return {VectorX(0), MatrixX(A.rows(), 0)};
  if (is_large(A)) {
    const Eigen::BDCSVD<MatrixX> svd(A, Eigen::ComputeThinU);
    return {svd.singularValues(), svd.matrixU()};
  }
  const Eigen::JacobiSVD<MatrixX> svd(A, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}

}  // namespace lithe::detail
