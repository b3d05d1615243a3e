// A file is a header of 128 bytes and a row of elements. An element is a tag (type, number of bytes), its data, and
// zeros up to the next multiple of eight. A variable is an element of type `matrix` whose data are elements again:
// class and flags, dimensions, name, then the numbers, or the cells.

#include "lithe/io/mat_file.hpp"

#include <bit>
#include <cstring>
#include <span>

namespace lithe::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says that numbers are little-endian");

enum ElementType : std::uint32_t { int8 = 1, uint16 = 4, int32 = 5, uint32 = 6, real64 = 9, matrix = 14 };
enum ArrayClass : std::uint32_t { cell_array = 1, char_array = 4, double_array = 6 };
constexpr std::uint32_t complex_flag = 0x0800;

template <class T>
std::string element(ElementType type, std::span<const T> data) {
  const std::uint32_t tag[2] = {type, static_cast<std::uint32_t>(data.size_bytes())};
  std::string bytes(reinterpret_cast<const char*>(tag), sizeof tag);
  if (!data.empty()) bytes.append(reinterpret_cast<const char*>(data.data()), data.size_bytes());
  bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
  return bytes;
}

std::string array(std::uint32_t class_and_flags, Eigen::Index rows, Eigen::Index columns, const std::string& name,
                  const std::string& content) {
  const std::uint32_t flags[2] = {class_and_flags, 0};
  const std::int32_t dimensions[2] = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)};
  const std::string inside = element<std::uint32_t>(uint32, flags) + element<std::int32_t>(int32, dimensions) +
                             element<char>(int8, std::span(name.data(), name.size())) + content;
  return element<char>(matrix, std::span(inside.data(), inside.size()));
}

/// The letters of a UTF-8 text as numbers of 16 bits; what does not fit becomes a question mark.
std::vector<std::uint16_t> letters(const std::string& text) {
  std::vector<std::uint16_t> codes;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    codes.push_back(code <= 0xFFFF ? static_cast<std::uint16_t>(code) : std::uint16_t{'?'});
    i += length;
  }
  return codes;
}

std::string char_row(const std::string& name, const std::string& text) {
  const std::vector<std::uint16_t> codes = letters(text);
  return array(char_array, codes.empty() ? 0 : 1, std::ssize(codes), name,
               element<std::uint16_t>(uint16, codes));
}

}  // namespace

MatFile::MatFile(const std::string& description) {
  bytes_ = "MATLAB 5.0 MAT-file, " + description;
  bytes_.resize(116, ' ');
  bytes_.resize(124, '\0');  // no subsystem data
  const std::uint16_t version = 0x0100;
  bytes_.append(reinterpret_cast<const char*>(&version), sizeof version);
  bytes_ += "IM";
}

void MatFile::add(const std::string& name, const MatrixX& values) {
  bytes_ += array(double_array, values.rows(), values.cols(), name,
                  element<double>(real64, std::span(values.data(), static_cast<std::size_t>(values.size()))));
}

void MatFile::add(const std::string& name, const std::vector<std::complex<double>>& column) {
  std::vector<double> real, imaginary;
  for (const std::complex<double>& value : column) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  bytes_ += array(double_array | complex_flag, std::ssize(column), 1, name,
                  element<double>(real64, real) + element<double>(real64, imaginary));
}

void MatFile::add(const std::string& name, const std::string& text) { bytes_ += char_row(name, text); }

void MatFile::add(const std::string& name, const std::vector<std::string>& texts) {
  std::string cells;
  for (const std::string& text : texts) cells += char_row("", text);
  bytes_ += array(cell_array, std::ssize(texts), 1, name, cells);
}

}  // namespace lithe::io
