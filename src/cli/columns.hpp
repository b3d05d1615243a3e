#pragma once
// Choosing columns of a record by their names.

#include <string>
#include <vector>

namespace lithe::cli {

/// "t" and the columns that start with one of the prefixes, in record order; at most `most` columns.
std::vector<std::string> choose_columns(const std::vector<std::string>& columns,
                                        const std::vector<std::string>& prefixes, std::size_t most = 9);

/// Columns `prefix`JOINT of the given joints, with all their coordinates.
std::vector<std::string> columns_of_joints(const std::vector<std::string>& columns, const std::string& prefix,
                                           const std::vector<std::string>& joints);

}  // namespace lithe::cli
