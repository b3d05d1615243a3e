#pragma once
// Natural cubic splines.

#include <vector>

namespace lithe {

/// Second derivatives of the natural cubic spline at its knots: a tridiagonal system, zero at both ends.
inline std::vector<double> natural_spline(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> second(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = t[i] - t[i - 1], right = t[i + 1] - t[i];
    const double pivot = 2.0 * (left + right) - left * upper[i - 1];
    const double load = 6.0 * ((y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left);
    upper[i] = right / pivot;
    second[i] = (load - left * second[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) second[i] -= upper[i] * second[i + 1];
  return second;
}

}  // namespace lithe
