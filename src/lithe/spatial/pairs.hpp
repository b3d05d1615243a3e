#pragma once
// Rows of numbers in which one is taken off the other. Doubles go in pairs, which every machine handles at once and rounds
// one by one; compilers do not find that by themselves in rows as short as ours. A number that is written by itself and
// read in a pair at once makes the processor wait.

#include "lithe/spatial/numbers.hpp"

namespace lithe::detail {

typedef double TwoDoubles __attribute__((vector_size(16), aligned(8), may_alias));

/// Room for a row of so many numbers in whole pairs, if they go in pairs.
template <class T>
constexpr Eigen::Index row_length(Eigen::Index count) {
  return std::is_same_v<T, double> ? count + count % 2 : count;
}

/// Takes `factor` times row `other` off `row`, between places `begin` and `end`. Doubles: both are even, or one number more
/// than asked for is changed before `begin` or behind `end`.
template <class T>
inline void subtract_row(T* row, const T& factor, const T* other, Eigen::Index begin, Eigen::Index end) {
  if constexpr (std::is_same_v<T, double>) {
    const TwoDoubles both = {factor, factor};
    for (Eigen::Index i = begin & ~Eigen::Index{1}; i < end; i += 2)
      *reinterpret_cast<TwoDoubles*>(row + i) -= both * *reinterpret_cast<const TwoDoubles*>(other + i);
  } else {
    for (Eigen::Index i = begin; i < end; ++i) row[i] -= factor * other[i];
  }
}

/// Multiplies what stands before `end`; as above.
template <class T>
inline void scale_row(T* row, const T& factor, Eigen::Index end) {
  if constexpr (std::is_same_v<T, double>) {
    const TwoDoubles both = {factor, factor};
    for (Eigen::Index i = 0; i < end; i += 2) *reinterpret_cast<TwoDoubles*>(row + i) *= both;
  } else {
    for (Eigen::Index i = 0; i < end; ++i) row[i] *= factor;
  }
}

}  // namespace lithe::detail
