#include <stdexcept>

#include "lithe/io/hdf5.hpp"

namespace lithe::detail {
namespace {

[[noreturn]] void cannot_read(const std::string& what) { throw std::runtime_error("cannot read " + what); }

H5Handle owned(hid_t id, H5Handle::Close close, const std::string& what) {
  if (id < 0) cannot_read(what);
  return {id, close, what};
}

H5Handle open_attribute(hid_t object, const std::string& name) {
  return owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "attribute '" + name + "'");
}

H5Handle open_data(hid_t parent, const std::string& name) {
  return owned(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "data '" + name + "'");
}

/// The kind of text that Lithe writes: any length, UTF-8.
H5Handle text_type_of(hid_t type, const std::string& what) {
  if (H5Tis_variable_str(type) <= 0) cannot_read(what + ": it is not text");
  H5Handle memory = owned(H5Tcopy(H5T_C_S1), H5Tclose, what);
  if (H5Tset_size(memory, H5T_VARIABLE) < 0 || H5Tset_cset(memory, H5Tget_cset(type)) < 0) cannot_read(what);
  return memory;
}

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

H5Handle open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by exceptions, not on stderr
  return owned(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "'" + path + "' as HDF5");
}

H5Handle open_group(hid_t parent, const std::string& name) {
  return owned(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "group '" + name + "'");
}

bool has_member(hid_t parent, const std::string& name) { return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0; }

std::string read_text(hid_t object, const std::string& name) {
  const std::string what = "attribute '" + name + "'";
  const H5Handle attribute = open_attribute(object, name);
  const H5Handle type = text_type_of(owned(H5Aget_type(attribute), H5Tclose, what), what);
  char* text = nullptr;
  if (H5Aread(attribute, type, &text) < 0) cannot_read(what);
  std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

double read_number(hid_t object, const std::string& name) {
  double value = 0.0;
  if (H5Aread(open_attribute(object, name), H5T_NATIVE_DOUBLE, &value) < 0) cannot_read("attribute '" + name + "'");
  return value;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  hsize_t position = 0;
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, &names);
  return names;
}

std::vector<std::string> read_strings(hid_t parent, const std::string& name) {
  const std::string what = "data '" + name + "'";
  const H5Handle data = open_data(parent, name);
  const H5Handle type = text_type_of(owned(H5Dget_type(data), H5Tclose, what), what);
  const H5Handle space = owned(H5Dget_space(data), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) cannot_read(what);
  std::vector<char*> pointers(static_cast<std::size_t>(count));
  if (count > 0 && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) cannot_read(what);
  std::vector<std::string> strings(pointers.begin(), pointers.end());
  for (char* pointer : pointers) H5free_memory(pointer);
  return strings;
}

std::vector<double> read_table(hid_t parent, const std::string& name, std::size_t columns) {
  const std::string what = "data '" + name + "'";
  const H5Handle data = open_data(parent, name);
  const H5Handle space = owned(H5Dget_space(data), H5Sclose, what);
  hsize_t size[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space) != 2) cannot_read(what + ": it is not a table");
  H5Sget_simple_extent_dims(space, size, nullptr);
  if (size[1] != columns) cannot_read(what + ": it has another number of columns than there are names");
  std::vector<double> rows(static_cast<std::size_t>(size[0] * size[1]));
  if (!rows.empty() && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0) {
    cannot_read(what);
  }
  return rows;
}

}  // namespace lithe::detail
