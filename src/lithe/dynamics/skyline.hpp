#pragma once
// Symmetric positive definite matrices of which each row begins somewhere: factored in place, nothing stored before the beginnings.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

class Skyline {
 public:
  /// Zeros; `first` is the column of the first entry of every row, at most that of the diagonal.
  void shape(const std::vector<int>& first) {
    first_ = first;
    start_.resize(first.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      start_[i] = size;
      size += i + 1 - static_cast<std::size_t>(first[i]);
    }
    entries_.assign(size, 0.0);
  }

  int rows() const { return static_cast<int>(first_.size()); }
  /// Entry (i, j) of the lower triangle, j not before the beginning of row i.
  double& operator()(int i, int j) { return line(i)[j]; }

  /// Overwrites the matrix by its factor L, L L^T. Returns the row of the first pivot that is not positive, or -1.
  int factor() {
    for (int i = 0; i < rows(); ++i) {
      double* row = line(i);
      const double own = row[i];
      for (int j = first_[i]; j < i; ++j) {
        const double* top = line(j);
        double sum = row[j];
        for (int c = std::max(first_[i], first_[j]); c < j; ++c) sum -= row[c] * top[c];
        row[j] = sum / top[j];
      }
      double pivot = own;
      for (int c = first_[i]; c < i; ++c) pivot -= row[c] * row[c];
      if (!(pivot > tolerance::not_positive * own)) return i;
      row[i] = std::sqrt(pivot);
    }
    return -1;
  }

  /// x <- (L L^T)^-1 x.
  void solve(double* x) {
    for (int i = 0; i < rows(); ++i) {
      const double* row = line(i);
      for (int c = first_[i]; c < i; ++c) x[i] -= row[c] * x[c];
      x[i] /= row[i];
    }
    for (int i = rows() - 1; i >= 0; --i) {
      const double* row = line(i);
      x[i] /= row[i];
      for (int c = first_[i]; c < i; ++c) x[c] -= row[c] * x[i];
    }
  }

 private:
  /// Row i, to be read from its beginning on. The rows before it have an entry each, so this is never before the memory.
  double* line(int i) { return entries_.data() + start_[i] - first_[i]; }

  std::vector<int> first_;
  std::vector<std::size_t> start_;
  std::vector<double> entries_;
};

}  // namespace lithe::detail
