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

/// Numbers of one column of a table, all with the digits that matter: eight decimals where the largest is of the size
/// of one, powers of ten where it is much smaller or larger. A number that is not zero never looks like zero unless it
/// is rounding beside the largest one.
std::vector<std::string> printed_column(const std::vector<double>& values);

}  // namespace lithe::cli
