#include "output_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "lithe/io/results_file.hpp"
#include "model_options.hpp"

namespace lithe::cli {

void require_folder(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw InputError(fmt::format("{}: the folder {} does not exist", file, folder.string()));
  }
}

void write_file(const std::string& path, const std::string& content) {
  require_folder(path);
  detail::ReplacingFile file(path);
  std::ofstream stream(file.temporary(), std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream) detail::cannot_write(path);
  file.commit();
}

}  // namespace lithe::cli
