#include "lithe/links/elimination.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace lithe::detail {

namespace {

/// Rows this small against the largest are rounding: that motion has no coordinate in the model.
constexpr double empty_row = 1e-12;
/// Entries this small against one are rounding of a coordinate that does not take part.
constexpr double no_part = 1e-13;

MatrixX scaled_rows(const MatrixX& rows) {
  const VectorX norms = rows.rowwise().norm();
  const double largest = norms.size() > 0 ? norms.maxCoeff() : 0.0;
  MatrixX scaled(rows.rows(), rows.cols());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    if (norms[i] > empty_row * largest) scaled.row(count++) = rows.row(i) / norms[i];
  return scaled.topRows(count);
}

}  // namespace

Elimination::Elimination(const MatrixX& rows) {
  const MatrixX scaled = scaled_rows(rows);
  const Eigen::Index n = rows.cols();
  if (scaled.rows() == 0) {
    for (Eigen::Index i = 0; i < n; ++i) kept_.push_back(i);
    coupling_.resize(0, n);
    return;
  }
  Eigen::ColPivHouseholderQR<MatrixX> qr(scaled);
  qr.setThreshold(1e-10);
  const Eigen::Index rank = qr.rank();
  const auto& order = qr.colsPermutation().indices();
  for (Eigen::Index i = 0; i < rank; ++i) dependent_.push_back(order[i]);
  for (Eigen::Index i = rank; i < n; ++i) kept_.push_back(order[i]);
  std::sort(kept_.begin(), kept_.end());
  const MatrixX reduced = qr.householderQ().transpose() * scaled;
  const MatrixX upper = qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  coupling_ = -upper.triangularView<Eigen::Upper>().solve(MatrixX(reduced.topRows(rank)(Eigen::all, kept_)));
  for (double& entry : coupling_.reshaped())
    if (std::abs(entry) < no_part) entry = 0.0;
}

MatrixX Elimination::expand(const MatrixX& y) const {
  MatrixX u(static_cast<Eigen::Index>(kept_.size() + dependent_.size()), y.cols());
  u(kept_, Eigen::all) = y;
  u(dependent_, Eigen::all) = coupling_ * y;
  return u;
}

MatrixX Elimination::gather(const MatrixX& u) const {
  return u(kept_, Eigen::all) + coupling_.transpose() * u(dependent_, Eigen::all);
}

MatrixX Elimination::project(const MatrixX& square) const {
  MatrixX projected = square(kept_, kept_);
  if (dependent_.empty() || coupling_.isZero(0.0)) return projected;
  const MatrixX cross = coupling_.transpose() * square(dependent_, kept_);
  projected += cross + cross.transpose() + coupling_.transpose() * square(dependent_, dependent_) * coupling_;
  return 0.5 * (projected + projected.transpose());
}

ElasticModel constrained(const ElasticModel& model, std::shared_ptr<const Elimination> elimination) {
  ElasticModel result;
  result.mass = elimination->project(model.mass);
  result.stiffness = elimination->project(model.stiffness);
  for (const Eigen::Index i : elimination->kept()) result.names.push_back(model.names[static_cast<std::size_t>(i)]);
  result.points = [inner = model.points, elimination](const MatrixX& basis, bool stiffening) {
    return inner(elimination->expand(basis), stiffening);
  };
  result.frames = [inner = model.frames, elimination](const MatrixX& basis, bool stiffening) {
    return inner(elimination->expand(basis), stiffening);
  };
  if (model.integrals)
    result.integrals = [inner = model.integrals, elimination](const MatrixX& basis, LinkData& link) {
      inner(elimination->expand(basis), link);
    };
  if (model.momenta)
    result.momenta = [inner = model.momenta, elimination]() -> MatrixX {
      return elimination->gather(inner().transpose()).transpose();
    };
  if (model.tension_stiffness)
    result.tension_stiffness = [inner = model.tension_stiffness, elimination] { return elimination->project(inner()); };
  if (model.element_stress)
    result.element_stress = [inner = model.element_stress, elimination](const MatrixX& basis, LinkData& link) {
      inner(elimination->expand(basis), link);
    };
  if (model.section_forces)
    result.section_forces = [inner = model.section_forces, elimination](const MatrixX& basis) {
      return inner(elimination->expand(basis));
    };
  if (model.outline)
    result.outline = [inner = model.outline, elimination](const MatrixX& basis) {
      return inner(elimination->expand(basis));
    };
  if (model.axis)
    result.axis = [inner = model.axis, elimination](const MatrixX& basis) { return inner(elimination->expand(basis)); };
  if (model.whole) {
    result.whole = model.whole;
    result.in_whole = [inner = model.in_whole, elimination](const MatrixX& basis) {
      return inner(elimination->expand(basis));
    };
  }
  return result;
}

}  // namespace lithe::detail
