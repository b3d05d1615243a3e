// A choice among the shapes of a rich basis.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "lithe/links/mode_names.hpp"
#include "lithe/links/reduction.hpp"

namespace lithe {

namespace {

/// Part of a shape outside the kept ones that is not worth a coordinate.
constexpr double not_new = 1e-6;

}  // namespace

Reduction kept_shapes(const ElasticModel& model, const Reduction& basis, int modes, const MatrixX& columns) {
  const Eigen::Index n = basis.basis.cols();
  Reduction kept;
  MatrixX span(n, 0);  // of the columns so far; the basis is mass-normalised, so plain products are those of the mass
  std::vector<double> rates;
  Eigen::Index natural = 0;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    Eigen::Index at = 0;
    const bool is_mode = columns.col(j).maxCoeff(&at) == 1.0 && columns.col(j).cwiseAbs().sum() == 1.0 && at < modes;
    VectorX column = columns.col(j).normalized();
    if (is_mode) {
      kept.names.push_back(basis.names[at]);
      rates.push_back(basis.frequencies[at]);
      ++natural;
    }
    for (int pass = 0; pass < 2 && !is_mode; ++pass) column -= (span * (span.transpose() * column)).eval();
    if (!(column.norm() > not_new)) continue;
    span.conservativeResize(Eigen::NoChange, span.cols() + 1);
    span.rightCols(1) = column.normalized();
  }
  const Eigen::Index statics = span.cols() - natural;
  if (statics > 0) {
    const MatrixX fresh = span.rightCols(statics);
    const VectorX squares = basis.frequencies.cwiseAbs2();
    const Eigen::SelfAdjointEigenSolver<MatrixX> solver{MatrixX(fresh.transpose() * squares.asDiagonal() * fresh)};
    span.rightCols(statics) = fresh * solver.eigenvectors();
    for (Eigen::Index k = 0; k < statics; ++k) {
      rates.push_back(std::sqrt(std::max(0.0, solver.eigenvalues()[k])));
      kept.names.push_back(fmt::format("static {}", k + 1));
    }
  }
  kept.basis = basis.basis * span;
  kept.frequencies = Eigen::Map<const VectorX>(rates.data(), std::ssize(rates));
  detail::fix_signs(model, kept.basis);
  return kept;
}

}  // namespace lithe
