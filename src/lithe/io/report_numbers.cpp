#include "lithe/io/report_numbers.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace lithe::detail {
namespace {

static_assert(std::endian::native == std::endian::little, "the page expects little-endian floats");

std::string base64(const unsigned char* bytes, std::size_t size) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

}  // namespace

std::string packed(const std::vector<float>& values) {
  std::vector<unsigned char> bytes(4 * values.size());
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return base64(bytes.data(), bytes.size());
}

std::string packed_column(const Results& results, int column, const std::vector<std::size_t>& rows) {
  std::vector<float> values;
  values.reserve(rows.size());
  for (const std::size_t row : rows) values.push_back(static_cast<float>(results.at(row, column)));
  return packed(values);
}

}  // namespace lithe::detail
