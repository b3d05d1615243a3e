#pragma once
// Reads the packed numbers of a report back.

#include <cstring>
#include <string>
#include <vector>

namespace lithe::testing {

/// Base64 (RFC 4648) of little-endian numbers, 32-bit floats unless said otherwise.
template <class Number = float>
std::vector<Number> unpacked(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned group = 0, bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6 | static_cast<unsigned>(letters.find(c));
    if ((bits += 6) >= 8) bytes.push_back(static_cast<unsigned char>(group >> (bits -= 8) & 255U));
  }
  std::vector<Number> values(bytes.size() / sizeof(Number));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), sizeof(Number) * values.size());
  return values;
}

}  // namespace lithe::testing
