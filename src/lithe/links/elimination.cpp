#include "lithe/links/elimination.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "lithe/spatial/tolerances.hpp"

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
  qr.setThreshold(tolerance::rank_of_constraints);
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

namespace {

/// The field of a model in the coordinates that an elimination leaves.
class ConstrainedField : public ElasticField {
 public:
  ConstrainedField(std::shared_ptr<const ElasticField> inner, std::shared_ptr<const Elimination> elimination)
      : inner_(std::move(inner)), elimination_(std::move(elimination)) {}

  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const override {
    return inner_->points(expanded(basis), stiffening);
  }
  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const override {
    return inner_->frames(expanded(basis), stiffening);
  }
  bool integrate(const MatrixX& basis, LinkData& link) const override {
    return inner_->integrate(expanded(basis), link);
  }
  MatrixX momenta() const override {
    const MatrixX all = inner_->momenta();
    return all.size() == 0 ? all : MatrixX(elimination_->gather(all.transpose()).transpose());
  }
  MatrixX tension_stiffness() const override {
    const MatrixX all = inner_->tension_stiffness();
    return all.size() == 0 ? all : elimination_->project(all);
  }
  void take_element_stress(const MatrixX& basis, LinkData& link) const override {
    inner_->take_element_stress(expanded(basis), link);
  }
  std::vector<SectionForces> section_forces(const MatrixX& basis) const override {
    return inner_->section_forces(expanded(basis));
  }
  Outline outline(const MatrixX& basis) const override { return inner_->outline(expanded(basis)); }
  Axis axis(const MatrixX& basis) const override { return inner_->axis(expanded(basis)); }

 private:
  MatrixX expanded(const MatrixX& basis) const { return elimination_->expand(basis); }

  std::shared_ptr<const ElasticField> inner_;
  std::shared_ptr<const Elimination> elimination_;
};

}  // namespace

ElasticModel constrained(const ElasticModel& model, const Elimination& elimination) {
  ElasticModel result;
  result.mass = elimination.project(model.mass);
  result.stiffness = elimination.project(model.stiffness);
  for (const Eigen::Index i : elimination.kept()) result.names.push_back(model.names[i]);
  result.field =
      std::make_shared<const ConstrainedField>(model.field, std::make_shared<const Elimination>(elimination));
  result.whole = model.whole;
  if (model.whole) result.in_whole = elimination.gather(model.in_whole.transpose()).transpose();
  return result;
}

}  // namespace lithe::detail
