#pragma once
// Sines and cosines of many angles: of doubles four at once, which takes half the time, and to the same bits whatever the
// C library does, which has other code for processors that multiply and add in one.

#include "lithe/spatial/numbers.hpp"

namespace lithe::detail {

/// Room for so many angles, doubles in whole fours.
template <class T>
Eigen::Index room_for_sines(std::size_t count) {
  return static_cast<Eigen::Index>(std::is_same_v<T, double> ? (count + 3) / 4 * 4 : count);
}

/// All three have the size that room_for_sines() says.
void find_sines(const VectorOf<double>& angles, VectorOf<double>& sines, VectorOf<double>& cosines);

template <class T>
void find_sines(const VectorOf<T>& angles, VectorOf<T>& sines, VectorOf<T>& cosines) {
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    const auto [s, c] = sine_cosine(angles[i]);
    sines[i] = s;
    cosines[i] = c;
  }
}

}  // namespace lithe::detail
