#pragma once
// A JSON value as an HDF5 file: maps are groups, tables of numbers are data sets, lists of maps are groups of 0, 1, 2,
// ...

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lithe::detail {

/// Throws ResultsError naming the file.
void write_hdf5_tree(const nlohmann::json& value, const std::string& path);
/// From the bytes of the file `path`, which messages name; throws std::runtime_error.
nlohmann::json read_hdf5_tree(const std::string& bytes, const std::string& path);

}  // namespace lithe::detail
