#pragma once
// Solution of small symmetric positive definite systems without allocation.

#include <cmath>

#include "lithe/kinematics/kernel.hpp"
#include "lithe/spatial/small_count.hpp"
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

/// The n rows of G in solve_positive().
template <class T, class Count>
int solve_positive(T* G, Count n, T* x) {
  // Column by column. Below row j stands L D, down to it L; the diagonal has the reciprocals of D.
  constexpr int together = 4;
  for (int j = 0; j < n; ++j) {
    T* top = G + j * n;
    const T own = top[j];
    T pivot = own;
    for (int c = 0; c < j; ++c) {
      const T scaled = top[c] * G[c * (n + 1)];
      pivot -= top[c] * scaled;
      top[c] = scaled;
    }
    if (!(lowest(pivot - tolerance::not_positive * own) > 0.0)) return j;
    top[j] = 1.0 / pivot;
    int i = j + 1;
    for (; i + together <= n; i += together) {
      T* row = G + i * n;
      T sum[together];
      for (int r = 0; r < together; ++r) sum[r] = row[r * n + j];
      for (int c = 0; c < j; ++c)
        for (int r = 0; r < together; ++r) sum[r] -= row[r * n + c] * top[c];
      for (int r = 0; r < together; ++r) row[r * n + j] = sum[r];
    }
    for (; i < n; ++i) {
      T* row = G + i * n;
      T sum = row[j];
      for (int c = 0; c < j; ++c) sum -= row[c] * top[c];
      row[j] = sum;
    }
  }
  const T* row = G;
  for (int i = 0; i < n; ++i, row += n) {
    T sum = x[i];
    for (int c = 0; c < i; ++c) sum -= row[c] * x[c];
    x[i] = sum;
  }
  for (int i = 0; i < n; ++i) x[i] *= G[i * (n + 1)];
  for (int i = n - 1; i >= 0; --i) {
    row -= n;
    for (int c = 0; c < i; ++c) x[c] -= row[c] * x[i];
  }
  return -1;
}

/// Overwrites x by G^-1 x and uses up the lower triangle of G; returns as factor_positive(). G = L D L^T: no roots, and one
/// division per row.
template <class T>
int solve_positive(RowMatrixOf<T>& G, T* x) {
  return with_count<T>(static_cast<int>(G.rows()), [&](auto n) { return solve_positive<T>(G.data(), n, x); });
}

}  // namespace lithe::detail
