#include "lithe/io/hdf5_tree.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/replacing_file.hpp"

namespace lithe::detail {

namespace {

using nlohmann::json;

constexpr const char* list_mark = "list";  // attribute of a group that stands for a list
constexpr int deepest = 20;                // groups in groups; a damaged file may hold a circle

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
    write_attribute(group, list_mark, std::ssize(value));
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
  std::vector<hsize_t> sizes(std::max(0, H5Sget_simple_extent_ndims(space)));
  if (!sizes.empty()) H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  if (H5Tget_class(type) == H5T_STRING) return read_strings(parent, name, TextLength::any);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  require(count >= 0 && static_cast<hsize_t>(count) <= H5Dget_storage_size(data) / H5Tget_size(type),
          "data '" + name + "': it is larger than what the file holds");
  std::vector<double> numbers(count);
  if (count > 0)
    require(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0,
            "data '" + name + "'");
  std::size_t at = 0;
  return nested(numbers, sizes, 0, at);
}

json read_group(hid_t group, int depth) {
  json value = json::object();
  for (const std::string& name : attribute_names(group))
    if (name != list_mark) value[name] = read_text(group, name, TextLength::any);
  for (const std::string& name : member_names(group)) {
    if (const hid_t opened = H5Gopen2(group, name.c_str(), H5P_DEFAULT); opened >= 0) {
      const H5Handle inner(opened, H5Gclose, "a group");
      require(depth < deepest, "'" + name + "': groups stand in each other too deeply");
      value[name] = read_group(inner, depth + 1);
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
  ReplacingFile file(path);
  file.open();
  WriteTarget target{file.descriptor()};
  {
    const H5Handle tree = create_file(target);
    for (const auto& [key, each] : value.items()) write_value(tree, key, each);
  }
  file.require_written(target.fault);
  file.commit();
}

json read_hdf5_tree(const std::string& bytes, const std::string& path) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  if (!bytes.starts_with(signature)) throw std::runtime_error(fmt::format("'{}' is not an HDF5 file", path));
  try {
    const H5Handle file = open_image(bytes);
    const H5Handle root = open_group(file, "/");
    return read_group(root, 0);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("'{}' is damaged: {}", path, error.what()));
  }
}

}  // namespace lithe::detail
