#include "columns.hpp"

#include <algorithm>

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

}  // namespace lithe::cli
