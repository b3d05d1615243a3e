#include "picture_file.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "lithe/io/replacing_file.hpp"
#include "model_options.hpp"
#include "output_file.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const std::string& path) { return fs::path(path).extension().string(); }

/// Turns the SVG into a PNG or PDF with librsvg's program.
void convert(const std::string& svg, const std::string& path, const std::string& format, double dpi,
             const std::vector<std::string>& inputs) {
  ReplacingFile file(path, inputs);
  file.open();
  const fs::path source = file.temporary() + ".svg";
  write_file(source.string(), svg);
  std::vector<std::string> words{
      "rsvg-convert",         "--format", format,           "--dpi-x",      fmt::format("{}", dpi), "--dpi-y",
      fmt::format("{}", dpi), "--output", file.temporary(), source.string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, "rsvg-convert", nullptr, nullptr, arguments.data(), environ);
  int status = 0;
  if (failed == 0) waitpid(process, &status, 0);
  fs::remove(source);
  if (failed != 0) {
    throw InputError(
        fmt::format("{}: PNG and PDF are made by rsvg-convert, which is not installed; install librsvg2-bin or "
                    "write an .svg",
                    path));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw InputError(fmt::format("{}: rsvg-convert failed", path));
  file.commit();
}

}  // namespace

void require_picture_name(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    throw InputError(fmt::format("{}: the name of a figure ends in .svg, .pdf or .png", path));
  require_folder(path);
}

void write_picture(const std::string& path, const std::string& svg, double dpi,
                   const std::vector<std::string>& inputs) {
  const std::string ending = ending_of(path);
  if (ending == ".svg") return write_file(path, svg, inputs);
  convert(svg, path, ending.substr(1), dpi, inputs);
}

}  // namespace lithe::cli
