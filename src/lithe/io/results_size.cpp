#include "lithe/io/results_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {
namespace {

constexpr double largest_without_asking = 20e9;  // bytes

std::string amount(double bytes) {
  for (const auto& [unit, size] : {std::pair{"TB", 1e12}, std::pair{"GB", 1e9}, std::pair{"MB", 1e6}})
    if (bytes >= size) return fmt::format("{:.3g} {}", bytes / size, unit);
  return fmt::format("{:.0f} bytes", bytes);
}

}  // namespace

void require_sensible_size(const std::string& path, const RunOptions& run, std::size_t columns, double bytes_per_number,
                           const OutputOptions& options) {
  const double rows = std::floor((run.until - run.from) / run.every) + 2.0;
  const double bytes = rows * static_cast<double>(columns) * bytes_per_number;
  const auto refuse = [&](double allowed, const std::string& why) {
    // Two digits, rounded up: with less than this it would still be too much.
    const double every = run.every * bytes / allowed;
    const double step = std::pow(10.0, std::floor(std::log10(every)) - 1.0);
    throw ResultsError(fmt::format(
        "cannot write '{}': the run would record {:.3g} rows of {} columns, about {}, {}; lengthen run.every "
        "to {:.2g} s or more, end earlier, or record less",
        path, rows, columns, amount(bytes), why, std::ceil(every / step) * step));
  };
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (!error && bytes > static_cast<double>(space.available))
    refuse(std::max<double>(static_cast<double>(space.available), 1.0),
           fmt::format("but only {} are free there", amount(static_cast<double>(space.available))));
  if (!options.any_size && bytes > largest_without_asking)
    refuse(largest_without_asking, "which looks like a mistake (--any-size allows it)");
}

}  // namespace lithe::detail
