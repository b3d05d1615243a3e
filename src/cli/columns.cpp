#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe::cli {

std::vector<std::string> choose_columns(const std::vector<std::string>& columns,
                                        const std::vector<std::string>& prefixes, std::size_t most) {
  std::vector<std::string> chosen;
  for (const std::string& column : columns) {
    const bool fits = column == "t" || std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
                        return column.starts_with(prefix);
                      });
    if (fits && chosen.size() < most) chosen.push_back(column);
  }
  return chosen;
}

std::vector<std::string> columns_of_joints(const std::vector<std::string>& columns, const std::string& prefix,
                                           const std::vector<std::string>& joints) {
  std::vector<std::string> chosen;
  for (const std::string& column : columns) {
    const bool fits = std::any_of(joints.begin(), joints.end(), [&](const std::string& joint) {
      return column == prefix + joint || column.starts_with(prefix + joint + ".");
    });
    if (fits) chosen.push_back(column);
  }
  return chosen;
}

std::vector<std::string> printed_column(const std::vector<double>& values) {
  constexpr double rounding = 1e-12, smallest_fixed = 1e-3, largest_fixed = 1e6, last_decimal = 0.5e-8;
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  const bool fixed = largest == 0.0 || (largest >= smallest_fixed && largest < largest_fixed);
  std::vector<std::string> texts;
  for (const double value : values) {
    const double size = std::abs(value);
    if (std::isnan(value))
      texts.emplace_back("-");
    else if (size <= rounding * largest)
      texts.push_back(fixed ? fmt::format("{:.8f}", 0.0) : "0");
    else if (!fixed)
      texts.push_back(fmt::format("{:.7e}", value));
    else
      texts.push_back(size < last_decimal ? fmt::format("{:.1e}", value) : fmt::format("{:.8f}", value));
  }
  return texts;
}

}  // namespace lithe::cli
