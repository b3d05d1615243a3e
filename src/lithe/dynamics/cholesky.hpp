#pragma once
// Solution of small symmetric positive definite systems without allocation.

#include <cmath>

#include "lithe/kinematics/kernel.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

/// Overwrites the lower triangle of G by its factor L, G = L L^T. Returns the row of the first pivot that is not
/// positive, or -1.
template <class T>
int factor_positive(RowMatrixOf<T>& G) {
  using std::sqrt;
  const int n = static_cast<int>(G.rows());
  // Column by column: the sums of several rows do not wait for each other.
  constexpr int together = 4;
  for (int j = 0; j < n; ++j) {
    T* top = G.data() + static_cast<std::ptrdiff_t>(j) * n;
    const T own = top[j];
    T pivot = own;
    for (int c = 0; c < j; ++c) pivot -= top[c] * top[c];
    if (!(lowest(pivot - tolerance::not_positive * own) > 0.0)) return j;
    top[j] = sqrt(pivot);
    int i = j + 1;
    for (; i + together <= n; i += together) {
      T* row = G.data() + static_cast<std::ptrdiff_t>(i) * n;
      T sum[together];
      for (int r = 0; r < together; ++r) sum[r] = row[r * n + j];
      for (int c = 0; c < j; ++c)
        for (int r = 0; r < together; ++r) sum[r] -= row[r * n + c] * top[c];
      for (int r = 0; r < together; ++r) row[r * n + j] = sum[r] / top[j];
    }
    for (; i < n; ++i) {
      T* row = G.data() + static_cast<std::ptrdiff_t>(i) * n;
      T sum = row[j];
      for (int c = 0; c < j; ++c) sum -= row[c] * top[c];
      row[j] = sum / top[j];
    }
  }
  return -1;
}

/// x <- L^-1 x.
template <class T>
void solve_lower(const RowMatrixOf<T>& L, T* x) {
  const int n = static_cast<int>(L.rows());
  for (int i = 0; i < n; ++i) {
    const T* row = L.data() + static_cast<std::ptrdiff_t>(i) * n;
    T sum = x[i];
    for (int c = 0; c < i; ++c) sum -= row[c] * x[c];
    x[i] = sum / row[i];
  }
}

/// x <- L^-T x.
template <class T>
void solve_transposed(const RowMatrixOf<T>& L, T* x) {
  const int n = static_cast<int>(L.rows());
  for (int i = n - 1; i >= 0; --i) {
    const T* row = L.data() + static_cast<std::ptrdiff_t>(i) * n;
    x[i] /= row[i];
    for (int c = 0; c < i; ++c) x[c] -= row[c] * x[i];
  }
}

/// Overwrites the lower triangle of G by its factor and x by G^-1 x; returns as factor_positive().
template <class T>
int solve_positive(RowMatrixOf<T>& G, T* x) {
  const int failed = factor_positive(G);
  if (failed >= 0) return failed;
  solve_lower(G, x);
  solve_transposed(G, x);
  return -1;
}

}  // namespace lithe::detail
