#include "lithe/io/report_numbers.hpp"

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace lithe::detail {

static_assert(std::endian::native == std::endian::little, "the page expects little-endian floats");

std::string packed_bytes(const void* data, std::size_t size) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* const bytes = static_cast<const unsigned char*>(data);
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t k = 0; k < size; k += 3) {
    const std::uint32_t group =
        bytes[k] << 16 | (k + 1 < size ? bytes[k + 1] << 8 : 0) | (k + 2 < size ? bytes[k + 2] : 0);
    text += letters[group >> 18];
    text += letters[group >> 12 & 63];
    text += k + 1 < size ? letters[group >> 6 & 63] : '=';
    text += k + 2 < size ? letters[group & 63] : '=';
  }
  return text;
}

std::string unpacked_bytes(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    int digit = -1;
    if (c >= 'A' && c <= 'Z') digit = c - 'A';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 26;
    if (c >= '0' && c <= '9') digit = c - '0' + 52;
    if (c == '+') digit = 62;
    if (c == '/') digit = 63;
    if (c == '=') break;
    if (digit < 0) throw std::runtime_error("is no base64 text");
    group = group << 6U | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> static_cast<unsigned>(bits) & 255U);
  }
  return bytes;
}

std::string packed(const std::vector<float>& values) {
  return packed_bytes(values.data(), sizeof(float) * values.size());
}

std::string packed_doubles(const std::vector<double>& values) {
  return packed_bytes(values.data(), sizeof(double) * values.size());
}

std::string packed_bytes(const std::vector<unsigned char>& bytes) { return packed_bytes(bytes.data(), bytes.size()); }

std::string packed_column(const Results& results, int column, const std::vector<std::size_t>& rows) {
  std::vector<float> values;
  values.reserve(rows.size());
  for (const std::size_t row : rows) values.push_back(static_cast<float>(results.at(row, column)));
  return packed(values);
}

}  // namespace lithe::detail
