#pragma once
// Several columns of a CSV file over one of them: a measured record.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/reader.hpp"

namespace lithe::io {

struct TableColumns {
  std::vector<std::string> names;           ///< of all columns but the times
  std::vector<double> times;                ///< ascending
  std::vector<std::vector<double>> values;  ///< per name; not a number where a cell is empty or says nan
};

/// Complaints name the file and its lines; the column of times is the first one unless it is named.
std::optional<TableColumns> read_table_columns(const std::filesystem::path& path,
                                               const std::optional<std::string>& time_column, const Item& item,
                                               Reader& reader);

}  // namespace lithe::io
