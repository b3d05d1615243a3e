// The shortest decimal of a double by one multiplication (after Giulietti's Schubfach).
//
// A double c 2^q stands for all reals within half a unit of its last place, 2^(q-1). With k = floor(log10 2^q) that unit
// is 1 to 10 times 10^k. So let x = c 2^q / 10^k, which has 16 or 17 digits before its point:
//   - a multiple of ten in reach of x is the only one; without its zeros it is the shortest decimal;
//   - without one, the integer next to x is in reach, and no shorter decimal is.
// 10^-k is a table of 128 bits, so that x is known to 2^-60. What lies closer than that to a limit of these cases is left
// to fmt, like powers of two (their unit is half as long below), subnormal numbers, infinity and what is no number.

#include "lithe/io/number_text.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "digits are placed as bytes of one word");

namespace lithe::io {
namespace {

using Wide = unsigned __int128;

constexpr int lowest_power = -292, highest_power = 324;  ///< of ten, for all normal numbers

/// The leading 128 bits of a power of ten.
struct LeadingBits {
  std::uint64_t high = 0, low = 0;
};

/// A long positive integer, least significant words first.
struct LongInteger {
  std::array<std::uint32_t, 46> words{};

  constexpr void times_ten() {
    std::uint64_t carry = 0;
    for (std::uint32_t& word : words) {
      carry += std::uint64_t{word} * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  constexpr void divide_by_ten() {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = (rest << 32) | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
  }

  constexpr LeadingBits leading_bits() const {
    std::size_t top = words.size() - 1;
    while (words[top] == 0) --top;
    const auto word = [&](std::size_t below) { return below <= top ? Wide{words[top - below]} : Wide{0}; };
    const int shift = std::countl_zero(words[top]);
    Wide bits = (word(0) << 96) | (word(1) << 64) | (word(2) << 32) | word(3);
    if (shift > 0) bits = (bits << shift) | (word(4) >> (32 - shift));
    return {static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)};
  }
};

constexpr auto powers_of_ten = [] {
  std::array<LeadingBits, highest_power - lowest_power + 1> table;
  LongInteger number;
  number.words[0] = 1;
  for (int n = 0; n <= highest_power; ++n, number.times_ten()) table[n - lowest_power] = number.leading_bits();
  // Negative powers: a power of two that leaves 128 bits even when divided by 10^292.
  number = {};
  number.words.back() = 1;
  for (int n = 0; n >= lowest_power; --n, number.divide_by_ten()) table[n - lowest_power] = number.leading_bits();
  return table;
}();

/// floor(q log10 2) and floor(n log2 10), exact for all exponents of doubles.
constexpr int decimal_exponent(int q) { return (q * 315653) >> 20; }
constexpr int binary_exponent(int n) { return (n * 1741647) >> 19; }

/// significand 10^exponent; the significand has 16 or 17 digits, zeros at its end included.
struct Decimal {
  std::uint64_t significand = 0;
  int exponent = 0;
};

/// False when the decimal lies too close to a limit to be known.
inline bool shortest_decimal(std::uint64_t bits, Decimal& result) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  if (fraction == 0 || biased == 0 || biased == 0x7ff) return false;
  const std::uint64_t c = fraction | (std::uint64_t{1} << 52);
  const int q = biased - 1075, k = decimal_exponent(q);
  const LeadingBits power = powers_of_ten[-k - lowest_power];
  const int e = q + binary_exponent(-k);  // 2^q / 10^k = power 2^(e - 127), between 1 and 10: e is 0 to 3

  const Wide high = Wide{c << (e + 1)} * power.high;
  const Wide x = high + ((Wide{c << (e + 1)} * power.low) >> 64);  // 64 bits before the point, 64 behind it
  const auto integer = static_cast<std::uint64_t>(x >> 64), behind = static_cast<std::uint64_t>(x);

  // Which case it is changes from number to number: chosen without branches.
  constexpr std::uint64_t ten = std::uint64_t{10} << 60, half = std::uint64_t{1} << 63, doubt = 4;
  const std::uint64_t tens = integer / 10 * 10;
  const std::uint64_t above_tens = ((integer - tens) << 60) | (behind >> 4), reach = power.high >> (4 - e);
  const std::uint64_t below_next = ten - above_tens;
  const auto is_near = [](std::uint64_t a, std::uint64_t b) { return a - b + doubt <= 2 * doubt; };
  if (int{is_near(above_tens, reach)} | int{is_near(below_next, reach)} | int{is_near(behind, half)}) return false;
  result.exponent = k;
  result.significand = integer + (behind >> 63);
  result.significand = above_tens < reach ? tens : result.significand;
  result.significand = below_next < reach ? tens + 10 : result.significand;
  return true;
}

/// Eight digits as bytes 0 to 9, the first in the lowest byte: halves, quarters, eighths of the word at once.
inline std::uint64_t eight_digits(std::uint64_t number) {
  std::uint64_t digits = number + ((std::uint64_t{1} << 32) - 10000) * ((number * 109951163) >> 40);
  digits += ((1 << 16) - 100) * (((digits * 5243) >> 19) & 0x7f0000007f);
  digits += ((1 << 8) - 10) * (((digits * 103) >> 10) & 0xf000f000f000f);
  return __builtin_bswap64(digits);
}

/// Sixteen characters, the first in the lowest byte.
constexpr Wide ascii_zeros = (Wide{0x3030303030303030} << 64) | 0x3030303030303030;

inline void put_sixteen(char* to, Wide characters) { std::memcpy(to, &characters, sizeof characters); }

/// `before` of sixteen characters (at most fifteen), a point, the others.
inline void put_with_point(char* to, Wide characters, int before) {
  const Wide kept = (Wide{1} << (8 * before)) - 1, moved = ~((kept << 8) | 0xff);
  put_sixteen(to, (characters & kept) | (Wide{'.'} << (8 * before)) | ((characters << 8) & moved));
  to[16] = static_cast<char>(characters >> 120);
}

inline char* put_exponent(char* to, int exponent) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  const int size = exponent < 0 ? -exponent : exponent;
  if (size >= 100) *to++ = static_cast<char>('0' + size / 100);
  *to++ = static_cast<char>('0' + size / 10 % 10);
  *to++ = static_cast<char>('0' + size % 10);
  return to;
}

/// Text of a decimal; as in fmt a power of ten stands behind numbers below 1e-4 and from 1e16 on.
inline char* place(char* to, Decimal number) {
  constexpr std::uint64_t eight = 100000000;
  const std::uint64_t leading = number.significand / eight, last = eight_digits(number.significand % eight);
  const std::uint64_t first = leading / eight;  // the seventeenth digit, if there is one
  const Wide digits = (Wide{last} << 64) | eight_digits(leading % eight);
  const int has_first = first != 0 ? 1 : 0, exponent = number.exponent + 15 + has_first;
  // Digits without the zeros at the end; only the one in front is never zero by itself.
  const int zeros =
      last != 0 ? std::countl_zero(last) / 8 : 8 + std::countl_zero(static_cast<std::uint64_t>(digits)) / 8;
  const int count = 16 - zeros + has_first;
  const Wide characters = digits | ascii_zeros;

  if (exponent < 0 && exponent >= -4) {
    std::memcpy(to, "0.000", 5);
    to += 1 - exponent;
    *to = static_cast<char>('0' + first);
    put_sixteen(to + has_first, characters);
    return to + count;
  }
  const bool is_plain = exponent >= 0 && exponent < 16;
  *to = static_cast<char>('0' + first);
  if (is_plain && count <= exponent + 1) {
    put_sixteen(to + has_first, characters);
    return to + exponent + 1;  // the zeros stand there already
  }
  put_with_point(to + has_first, characters, (is_plain ? exponent : 0) + 1 - has_first);
  if (is_plain) return to + count + 1;
  return put_exponent(to + (count == 1 ? 1 : count + 1), exponent);
}

}  // namespace

char* write_number(char* to, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (bits == 0) {
    *to = '0';
    return to + 1;
  }
  Decimal decimal;
  if (!shortest_decimal(bits, decimal)) return fmt::format_to(to, "{}", value);
  *to = '-';
  return place(to + (bits >> 63), decimal);
}

}  // namespace lithe::io
