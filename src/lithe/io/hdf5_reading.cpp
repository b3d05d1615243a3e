#include <algorithm>
#include <cmath>
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

/// Size of each text in bytes; 0 for texts of variable length, which must be allowed.
std::size_t text_size(hid_t type, TextLength length, const std::string& what) {
  if (H5Tget_class(type) != H5T_STRING) cannot_read(what + ": it is not text");
  const htri_t variable = H5Tis_variable_str(type);
  if (variable < 0 || (variable > 0 && length == TextLength::fixed))
    cannot_read(what + ": its text is not of fixed length");
  return variable > 0 ? 0 : H5Tget_size(type);
}

H5Handle memory_text_type(hid_t type, std::size_t size, const std::string& what) {
  H5Handle memory = owned(H5Tcopy(H5T_C_S1), H5Tclose, what);
  if (H5Tset_size(memory, size == 0 ? H5T_VARIABLE : size) < 0 || H5Tset_cset(memory, H5Tget_cset(type)) < 0)
    cannot_read(what);
  if (size > 0 && H5Tset_strpad(memory, H5Tget_strpad(type)) < 0) cannot_read(what);
  return memory;
}

/// Without what fills a text of fixed length up.
std::string trimmed(const char* letters, std::size_t size) {
  std::string text(letters, size);
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

/// Points of a data set, which must not be more than the file can hold: a damaged size would ask for all memory.
std::size_t points_of(hid_t data, std::size_t bytes_per_point, const std::string& what) {
  const H5Handle space = owned(H5Dget_space(data), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  constexpr std::size_t most = std::size_t{1} << 40U;  // bytes
  if (count < 0 || static_cast<std::size_t>(count) > most / std::max<std::size_t>(bytes_per_point, 1))
    cannot_read(what);
  const auto points = static_cast<std::size_t>(count);
  constexpr std::size_t best_compression = 1100, slack = 1U << 20U;
  if (points * bytes_per_point > slack && points * bytes_per_point / best_compression > H5Dget_storage_size(data))
    cannot_read(what + ": it is larger than what the file holds");
  return points;
}

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

bool is_hdf5_file(const std::string& path) { return H5Fis_hdf5(path.c_str()) > 0; }

H5Handle open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by exceptions, not on stderr
  return owned(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "'" + path + "' as HDF5");
}

H5Handle open_image(const std::string& bytes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const H5Handle access = owned(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "bytes as HDF5");
  std::string image = bytes;  // HDF5 takes a copy of it, but wants it changeable
  if (H5Pset_fapl_core(access, 1U << 16U, 0) < 0 || H5Pset_file_image(access, image.data(), image.size()) < 0)
    cannot_read("bytes as HDF5");
  return owned(H5Fopen("image", H5F_ACC_RDONLY, access), H5Fclose, "bytes as HDF5");
}

H5Handle open_group(hid_t parent, const std::string& name) {
  return owned(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "group '" + name + "'");
}

bool has_member(hid_t parent, const std::string& name) { return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0; }

std::string read_text(hid_t object, const std::string& name, TextLength length) {
  const std::string what = "attribute '" + name + "'";
  const H5Handle attribute = open_attribute(object, name);
  const H5Handle space = owned(H5Aget_space(attribute), H5Sclose, what);
  if (H5Sget_simple_extent_npoints(space) != 1) cannot_read(what + ": it is not one text");
  const H5Handle type = owned(H5Aget_type(attribute), H5Tclose, what);
  const std::size_t size = text_size(type, length, what);
  const H5Handle memory = memory_text_type(type, size, what);
  if (size > 0) {
    std::vector<char> letters(size);
    if (H5Aread(attribute, memory, letters.data()) < 0) cannot_read(what);
    return trimmed(letters.data(), size);
  }
  char* text = nullptr;
  if (H5Aread(attribute, memory, &text) < 0) cannot_read(what);
  std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

double read_number(hid_t object, const std::string& name) {
  const std::string what = "attribute '" + name + "'";
  const H5Handle attribute = open_attribute(object, name);
  const H5Handle space = owned(H5Aget_space(attribute), H5Sclose, what),
                 type = owned(H5Aget_type(attribute), H5Tclose, what);
  const H5T_class_t kind = H5Tget_class(type);
  if (H5Sget_simple_extent_npoints(space) != 1 || (kind != H5T_FLOAT && kind != H5T_INTEGER))
    cannot_read(what + ": it is not one number");
  double value = 0.0;
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) cannot_read(what);
  return value;
}

long as_whole(double number, const std::string& name) {
  constexpr double largest = 1e15;  // every whole number up to here is a double
  if (!(std::abs(number) <= largest && number == std::floor(number)))
    cannot_read("'" + name + "': it is no whole number");
  return static_cast<long>(number);
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  hsize_t position = 0;
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, &names);
  return names;
}

std::vector<std::string> member_names(hid_t group) {
  H5G_info_t info{};
  if (H5Gget_info(group, &info) < 0) cannot_read("a group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t size = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (size < 0) cannot_read("a group");
    std::string name(static_cast<std::size_t>(size) + 1, '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    name.resize(size);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> read_strings(hid_t parent, const std::string& name, TextLength length) {
  const std::string what = "data '" + name + "'";
  const H5Handle data = open_data(parent, name);
  const H5Handle type = owned(H5Dget_type(data), H5Tclose, what);
  const std::size_t size = text_size(type, length, what);
  const H5Handle memory = memory_text_type(type, size, what);
  const std::size_t count = points_of(data, std::max<std::size_t>(size, 1), what);
  std::vector<std::string> strings;
  if (count == 0) return strings;
  if (size > 0) {
    std::vector<char> letters(count * size);
    if (H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()) < 0) cannot_read(what);
    for (std::size_t i = 0; i < count; ++i) strings.push_back(trimmed(letters.data() + i * size, size));
    return strings;
  }
  std::vector<char*> pointers(count);
  if (H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) cannot_read(what);
  for (char* pointer : pointers) {
    strings.emplace_back(pointer == nullptr ? "" : pointer);
    H5free_memory(pointer);
  }
  return strings;
}

std::string read_bytes(hid_t parent, const std::string& name) {
  const std::string what = "data '" + name + "'";
  const H5Handle data = open_data(parent, name);
  std::string bytes(points_of(data, 1, what), '\0');
  if (!bytes.empty() && H5Dread(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    cannot_read(what);
  return bytes;
}

std::vector<double> read_table(hid_t parent, const std::string& name, std::size_t columns) {
  const std::string what = "data '" + name + "'";
  const H5Handle data = open_data(parent, name);
  const H5Handle space = owned(H5Dget_space(data), H5Sclose, what);
  hsize_t size[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space) != 2) cannot_read(what + ": it is not a table");
  H5Sget_simple_extent_dims(space, size, nullptr);
  if (size[1] != columns) cannot_read(what + ": it has another number of columns than there are names");
  std::vector<double> rows(points_of(data, sizeof(double), what));
  if (!rows.empty() && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0) {
    cannot_read(what);
  }
  return rows;
}

}  // namespace lithe::detail
