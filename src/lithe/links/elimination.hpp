#pragma once
// Linear constraints on the coordinates of a link, taken out by expressing some coordinates through the others.

#include <memory>
#include <vector>

#include "lithe/links/elastic_model.hpp"

namespace lithe::detail {

/// The coordinates u that satisfy rows * u = 0, as u = T y where y are kept coordinates of u. Where the rows select
/// single coordinates (a clamped node), T deletes them; otherwise the best conditioned ones depend on the kept. The
/// constraint count is small, so T is never formed: it is a deletion plus `coupling`.
class Elimination {
 public:
  explicit Elimination(const MatrixX& rows);

  Eigen::Index rank() const { return std::ssize(dependent_); }
  /// Places of y in u, ascending.
  const std::vector<Eigen::Index>& kept() const { return kept_; }

  /// T * y, column by column.
  MatrixX expand(const MatrixX& y) const;
  /// T^T * u, column by column (loads).
  MatrixX gather(const MatrixX& u) const;
  /// T^T * square * T, symmetric.
  MatrixX project(const MatrixX& square) const;

 private:
  std::vector<Eigen::Index> kept_, dependent_;
  MatrixX coupling_;  ///< u(dependent) = coupling * y
};

/// `model` in the coordinates that `elimination` keeps; they keep their names.
ElasticModel constrained(const ElasticModel& model, const Elimination& elimination);

}  // namespace lithe::detail
