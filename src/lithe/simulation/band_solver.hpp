#pragma once
// Linear equations whose coefficients stand near the diagonal, by elimination with row exchanges.

#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

class BandEquations {
 public:
  /// `reach`: largest distance of a coefficient from the diagonal.
  BandEquations(int size, int reach)
      : size_(size),
        reach_(reach),
        width_(3 * reach + 1),
        entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(width_), 0.0) {}

  double& operator()(int row, int column) {
    return entries_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                    static_cast<std::size_t>(column - row + reach_)];
  }

  /// Puts the solution over the right-hand side and spends the coefficients. False when they are singular.
  bool solve(VectorX& right) {
    for (int k = 0; k < size_; ++k) {
      const int last_row = std::min(size_ - 1, k + reach_), last_column = std::min(size_ - 1, k + 2 * reach_);
      int pivot = k;
      for (int i = k + 1; i <= last_row; ++i)
        if (std::abs((*this)(i, k)) > std::abs((*this)(pivot, k))) pivot = i;
      if (!((*this)(pivot, k) != 0.0)) return false;
      if (pivot != k) {
        for (int j = k; j <= last_column; ++j) std::swap((*this)(pivot, j), (*this)(k, j));
        std::swap(right[pivot], right[k]);
      }
      for (int i = k + 1; i <= last_row; ++i) {
        const double factor = (*this)(i, k) / (*this)(k, k);
        if (factor == 0.0) continue;
        for (int j = k + 1; j <= last_column; ++j) (*this)(i, j) -= factor * (*this)(k, j);
        right[i] -= factor * right[k];
      }
    }
    for (int k = size_ - 1; k >= 0; --k) {
      for (int j = k + 1; j <= std::min(size_ - 1, k + 2 * reach_); ++j) right[k] -= (*this)(k, j) * right[j];
      right[k] /= (*this)(k, k);
    }
    return right.allFinite();
  }

 private:
  int size_, reach_, width_;
  std::vector<double> entries_;  ///< by rows; room for what row exchanges bring in
};

}  // namespace lithe::detail
