#include "lithe/analysis/balancing.hpp"

#include <cmath>

namespace lithe::detail {

VectorX balance(MatrixX& A) {
  const Eigen::Index n = A.rows();
  VectorX scales = VectorX::Ones(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double own = std::abs(A(i, i));
      const double column = A.col(i).cwiseAbs().sum() - own, row = A.row(i).cwiseAbs().sum() - own;
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (!(column * factor + row / factor < 0.95 * (column + row))) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      scales[i] *= factor;
      changed = true;
    }
  }
  return scales;
}

}  // namespace lithe::detail
