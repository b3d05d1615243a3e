// Sobol's sequence in base 2: the digits of point k are the exclusive or of the direction numbers of the bits of k.

#include <array>

#include "lithe/study/sample.hpp"

namespace lithe {
namespace {

constexpr int digits = 32;

/// A primitive polynomial over the field of two elements, highest power first in its bits, and the first direction
/// numbers. Values of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections",
/// SIAM J. Sci. Comput. 30 (2008), table of their search for property A and D(6).
struct Recurrence {
  unsigned polynomial;
  std::array<std::uint32_t, 7> first;
};

constexpr std::array<Recurrence, sobol_dimensions - 1> recurrences{{
    {0b11, {1}},
    {0b111, {1, 3}},
    {0b1011, {1, 3, 1}},
    {0b1101, {1, 1, 1}},
    {0b10011, {1, 1, 3, 3}},
    {0b11001, {1, 3, 5, 13}},
    {0b100101, {1, 1, 5, 5, 17}},
    {0b101001, {1, 1, 5, 5, 5}},
    {0b101111, {1, 1, 7, 11, 19}},
    {0b110111, {1, 1, 5, 1, 1}},
    {0b111011, {1, 1, 1, 3, 11}},
    {0b111101, {1, 3, 5, 5, 31}},
    {0b1000011, {1, 3, 3, 9, 7, 49}},
    {0b1011011, {1, 1, 1, 15, 21, 21}},
    {0b1100001, {1, 3, 1, 13, 27, 49}},
    {0b1100111, {1, 1, 1, 15, 7, 5}},
    {0b1101101, {1, 3, 1, 15, 13, 25}},
    {0b1110011, {1, 1, 5, 5, 19, 61}},
    {0b10000011, {1, 3, 7, 11, 23, 15, 103}},
    {0b10001001, {1, 3, 7, 13, 13, 15, 69}},
}};

using Directions = std::array<std::uint32_t, digits>;

/// v_i = a_1 v_(i-1) + ... + a_(s-1) v_(i-s+1) + v_(i-s) + v_(i-s) / 2^s, without carry.
Directions directions_of(const Recurrence& recurrence) {
  Directions v{};
  const int degree = digits - 1 - __builtin_clz(recurrence.polynomial);
  for (int i = 0; i < digits; ++i) {
    if (i < degree) {
      v[i] = recurrence.first[i] << (digits - 1 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (int j = 1; j < degree; ++j)
      if ((recurrence.polynomial >> (degree - j)) & 1U) v[i] ^= v[i - j];
  }
  return v;
}

std::array<Directions, sobol_dimensions> all_directions() {
  std::array<Directions, sobol_dimensions> all{};
  for (int i = 0; i < digits; ++i) all[0][i] = 1U << (digits - 1 - i);
  for (int d = 1; d < sobol_dimensions; ++d) all[d] = directions_of(recurrences[d - 1]);
  return all;
}

}  // namespace

std::uint32_t sobol_digits(std::uint32_t k, int dimension) {
  static const std::array<Directions, sobol_dimensions> directions = all_directions();
  std::uint32_t point = 0;
  for (int i = 0; k != 0; ++i, k >>= 1)
    if (k & 1U) point ^= directions[dimension][i];
  return point;
}

}  // namespace lithe
