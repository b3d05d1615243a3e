#include "lithe/simulation/free_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <optional>

#include "lithe/errors.hpp"

namespace lithe {
namespace {

/// The number behind `key` in a file of lines "key: number kB", in bytes.
std::optional<double> kilobytes_in(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (double value = 0.0; word == key && file >> value) return 1024.0 * value;
  return std::nullopt;
}

/// A file that holds a number; nothing when it says "max" or is not there.
std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0.0;
  if (file >> value) return value;
  return std::nullopt;
}

/// What the control group of this process may still use.
std::optional<double> left_in_group() {
  const auto most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (!most || !used) return std::nullopt;
  // What it holds of files is given back when memory is wanted.
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  double given_back = 0.0;
  for (std::string word; file >> word;)
    if (double value = 0.0; word == "inactive_file" && file >> value) given_back = value;
  return *most - *used + given_back;
}

std::optional<double> left_in_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const auto pages = number_in("/proc/self/statm");
  return static_cast<double>(limit.rlim_cur) - pages.value_or(0.0) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

FreeMemory free_memory() {
  FreeMemory least{std::numeric_limits<double>::infinity(), ""};
  const auto consider = [&](const std::optional<double>& bytes, const char* what) {
    if (bytes && *bytes < least.bytes) least = {*bytes, what};
  };
  consider(kilobytes_in("/proc/meminfo", "MemAvailable:"), "this machine has free");
  consider(left_in_group(), "the control group of this process leaves");
  consider(left_in_process(), "the limit of this process (ulimit -v) leaves");
  return least;
}

std::string bytes_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

void require_memory(double bytes, const std::string& element, const std::string& what, const std::string& remedy) {
  constexpr double little = 64e6;
  if (bytes <= little) return;
  const FreeMemory left = free_memory();
  if (bytes <= left.bytes) return;
  throw MechanismError(element, fmt::format("{} take {} of memory, but {} {}; {}", what, bytes_text(bytes), left.what,
                                            bytes_text(left.bytes), remedy));
}

std::string out_of_memory_text() {
  const FreeMemory left = free_memory();
  return fmt::format(
      "out of memory: {} {}; take fewer rows (run.every), columns, variants, threads or points of a grid, or raise the "
      "limit",
      left.what, bytes_text(left.bytes));
}

}  // namespace lithe
