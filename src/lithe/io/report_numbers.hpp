#pragma once
// Columns of results as the report page wants them: packed.

#include <string>
#include <string_view>
#include <vector>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// Bytes as base64 and back; throws std::runtime_error for text that is none.
std::string packed_bytes(const void* bytes, std::size_t size);
std::string unpacked_bytes(std::string_view text);

/// 32-bit floats, little-endian, base64.
std::string packed(const std::vector<float>& values);
/// 64-bit ones, likewise.
std::string packed_doubles(const std::vector<double>& values);
/// Bytes, base64.
std::string packed_bytes(const std::vector<unsigned char>& bytes);
std::string packed_column(const Results& results, int column, const std::vector<std::size_t>& rows);

}  // namespace lithe::detail
