#include "lithe/links/bernstein.hpp"

namespace lithe::detail {

Eigen::RowVectorXd bernstein(int degree, int k, double x) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(degree + 1);
  if (k > degree) return row;
  row[0] = 1.0;
  for (int n = 1; n <= degree; ++n) {
    // Up to degree - k by mixing neighbours (de Casteljau), then by differences: dB_i^n = n (B_(i-1)^(n-1) -
    // B_i^(n-1)).
    const bool differentiates = n > degree - k;
    const double left = differentiates ? n : x, right = differentiates ? -n : 1 - x;
    for (int i = n; i >= 0; --i) row[i] = (i > 0 ? left * row[i - 1] : 0.0) + (i < n ? right * row[i] : 0.0);
  }
  return row;
}

}  // namespace lithe::detail
