#include "lithe/io/hdf5_tree.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/io/hdf5.hpp"

namespace lithe::detail {

namespace {

using nlohmann::json;

constexpr const char* list_mark = "list";  // attribute of a group that stands for a list

void require(bool done, const std::string& what) {
  if (!done) throw std::runtime_error("HDF5 fails at " + what);
}

/// Sizes of a rectangular table of numbers; false for anything else.
bool table_sizes(const json& value, std::vector<hsize_t>& sizes) {
  if (value.is_number()) return true;
  if (!value.is_array()) return false;
  sizes.push_back(value.size());
  if (value.empty()) return true;
  std::vector<hsize_t> first;
  if (!table_sizes(value[0], first)) return false;
  for (const json& each : value) {
    std::vector<hsize_t> other;
    if (!table_sizes(each, other) || other != first) return false;
  }
  sizes.insert(sizes.end(), first.begin(), first.end());
  return true;
}

void flatten(const json& value, std::vector<double>& numbers) {
  if (value.is_number()) {
    numbers.push_back(value.get<double>());
    return;
  }
  for (const json& each : value) flatten(each, numbers);
}

void write_table(hid_t parent, const std::string& name, const json& value, const std::vector<hsize_t>& sizes) {
  std::vector<double> numbers;
  flatten(value, numbers);
  const H5Handle space(
      sizes.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
      H5Sclose, "a data space");
  const H5Handle data(H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose, "data '" + name + "'");
  if (!numbers.empty())
    require(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0,
            "data '" + name + "'");
}

void write_value(hid_t parent, const std::string& name, const json& value) {
  std::vector<hsize_t> sizes;
  if (table_sizes(value, sizes)) return write_table(parent, name, value, sizes);
  if (value.is_string()) return write_attribute(parent, name, value.get<std::string>());
  if (value.is_array() && value[0].is_string())
    return write_strings(parent, name, value.get<std::vector<std::string>>());
  const H5Handle group = create_group(parent, name);
  if (value.is_array()) {
    write_attribute(group, list_mark, static_cast<long>(value.size()));
    for (std::size_t i = 0; i < value.size(); ++i) write_value(group, std::to_string(i), value[i]);
    return;
  }
  for (const auto& [key, each] : value.items()) write_value(group, key, each);
}

json nested(const std::vector<double>& numbers, const std::vector<hsize_t>& sizes, std::size_t depth, std::size_t& at) {
  if (depth == sizes.size()) return numbers[at++];
  json list = json::array();
  for (hsize_t i = 0; i < sizes[depth]; ++i) list.push_back(nested(numbers, sizes, depth + 1, at));
  return list;
}

json read_data(hid_t parent, const std::string& name) {
  const H5Handle data(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "data '" + name + "'");
  const H5Handle space(H5Dget_space(data), H5Sclose, "a data space"), type(H5Dget_type(data), H5Tclose, "a type");
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  if (H5Tget_class(type) == H5T_STRING) return read_strings(parent, name);
  std::vector<double> numbers(count);
  if (count > 0)
    require(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0,
            "data '" + name + "'");
  std::size_t at = 0;
  return nested(numbers, sizes, 0, at);
}

json read_group(hid_t group) {
  json value = json::object();
  for (const std::string& name : attribute_names(group))
    if (name != list_mark) value[name] = read_text(group, name);
  H5G_info_t info{};
  require(H5Gget_info(group, &info) >= 0, "a group");
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256] = {};
    H5Gget_objname_by_idx(group, i, name, sizeof name);
    if (H5Gget_objtype_by_idx(group, i) == H5G_GROUP) {
      const H5Handle inner = open_group(group, name);
      value[name] = read_group(inner);
    } else {
      value[name] = read_data(group, name);
    }
  }
  if (H5Aexists(group, list_mark) <= 0) return value;
  json list = json::array();
  for (std::size_t i = 0; value.contains(std::to_string(i)); ++i) list.push_back(value[std::to_string(i)]);
  return list;
}

}  // namespace

void write_hdf5_tree(const json& value, const std::string& path) {
  const H5Handle file = create_file(path);
  for (const auto& [key, each] : value.items()) write_value(file, key, each);
}

json read_hdf5_tree(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by exceptions, not on stderr
  if (H5Fis_hdf5(path.c_str()) <= 0) throw std::runtime_error(fmt::format("'{}' is not an HDF5 file", path));
  const H5Handle file = open_file(path);
  const H5Handle root = open_group(file, "/");
  return read_group(root);
}

}  // namespace lithe::detail
