#include "output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "lithe/io/replacing_file.hpp"
#include "model_options.hpp"
#include "terminal.hpp"

namespace lithe::cli {

void require_folder(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw InputError(fmt::format("{}: the folder {} does not exist", file, folder.string()));
  }
}

void require_results_name(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (path.empty() || ending == ".h5" || ending == ".hdf5") return;
  throw InputError(fmt::format("{0}: --output writes HDF5, and its name ends in .h5; a table of text: --csv {1}", path,
                               std::filesystem::path(path).replace_extension(".csv").string()));
}

void write_file(const std::string& path, const std::string& content, const std::vector<std::string>& inputs) {
  require_folder(path);
  ReplacingFile file(path, inputs);
  file.open();
  file.write(content);
  file.commit();
}

void print_json(const nlohmann::json& answer, int indent) { fmt::print("{}\n", detail::json_text(answer, indent)); }

bool finish_stdout() {
  errno = 0;
  std::cout.flush();
  const bool done = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (!done) complain(fmt::format("cannot write to stdout: {}", errno != 0 ? std::strerror(errno) : "unknown reason"));
  return done;
}

}  // namespace lithe::cli
