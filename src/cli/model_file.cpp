#include "model_file.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "model_options.hpp"

namespace lithe::cli {
namespace {

bool starts_like_hdf5(const std::string& path) {
  std::array<char, 8> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\x89HDF\r\n\x1a\n";
}

}  // namespace

void require_model_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw InputError(fmt::format("{}: no such file", path));
  if (fs::is_directory(path, ignored)) throw InputError(fmt::format("{}: is a folder, expected a model file", path));
  if (starts_like_hdf5(path)) {
    throw InputError(
        fmt::format("{0}: is a result file (HDF5), expected a model file; lithe show {0} makes a page of it", path));
  }
}

}  // namespace lithe::cli
