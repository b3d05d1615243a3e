#pragma once
// Sines and cosines of four angles at once. The compiler makes of it what the machine offers, and all machines round alike.

#include <cstdint>

namespace lithe::detail {

/// Four doubles. Memory of Eigen is aligned to 16 bytes only.
typedef double FourDoubles __attribute__((vector_size(32), aligned(16), may_alias));
typedef std::int64_t FourIntegers __attribute__((vector_size(32), aligned(16), may_alias));

/// From there on the parts of a quarter turn below do not suffice.
inline constexpr double far_angle = 1e5;

/// Sines and cosines of four angles below far_angle, to about one unit in the last place: the angle less a multiple of a
/// quarter turn, then the series.
inline void four_sines(const FourDoubles& angle, FourDoubles& sine, FourDoubles& cosine) {
  constexpr double quarters_per_radian = 0.63661977236758134308;
  // A quarter turn in three parts; the first two have 33 bits, so that their multiples are exact.
  constexpr double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
  constexpr double to_integer = 0x1.8p+52;  // added to a small number, the last bits hold its integer
  const FourDoubles shifted = angle * quarters_per_radian + to_integer;
  const FourDoubles quarters = shifted - to_integer;
  const FourDoubles x = ((angle - quarters * part1) - quarters * part2) - quarters * part3;
  const FourDoubles z = x * x;
  const FourDoubles s =
      x + x * z *
              (-1.0 / 6 +
               z * (1.0 / 120 +
                    z * (-1.0 / 5040 +
                         z * (1.0 / 362880 +
                              z * (-1.0 / 39916800 + z * (1.0 / 6227020800 + z * (-1.0 / 1307674368000 +
                                                                                  z * (1.0 / 355687428096000))))))));
  const FourDoubles c =
      1.0 -
      (0.5 * z -
       z * z *
           (1.0 / 24 +
            z * (-1.0 / 720 +
                 z * (1.0 / 40320 + z * (-1.0 / 3628800 + z * (1.0 / 479001600 + z * (-1.0 / 87178291200 +
                                                                                      z * (1.0 / 20922789888000))))))));
  // Odd quarters exchange sine and cosine; every second pair of quarters changes a sign.
  const FourIntegers quadrant = reinterpret_cast<const FourIntegers&>(shifted);
  const FourIntegers odd = -(quadrant & 1);
  const FourIntegers sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  const FourIntegers s_bits = reinterpret_cast<const FourIntegers&>(s),
                     c_bits = reinterpret_cast<const FourIntegers&>(c);
  const FourIntegers sine_bits = ((odd & c_bits) | (~odd & s_bits)) ^ sine_sign;
  const FourIntegers cosine_bits = ((odd & s_bits) | (~odd & c_bits)) ^ cosine_sign;
  sine = reinterpret_cast<const FourDoubles&>(sine_bits);
  cosine = reinterpret_cast<const FourDoubles&>(cosine_bits);
}

}  // namespace lithe::detail
