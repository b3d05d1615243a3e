#include "lithe/io/hdf5.hpp"

#include <algorithm>
#include <stdexcept>

namespace lithe::detail {
namespace {

constexpr hsize_t chunk_bytes = 64 * 1024;

void check(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5 cannot write " + what);
}

H5Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "a data space"}; }

H5Handle text_type() {
  H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a text type");
  check(H5Tset_size(type, H5T_VARIABLE), "a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "a text type");
  return type;
}

void attribute(hid_t object, const std::string& name, hid_t type, hid_t memory_type, const void* value) {
  const H5Handle space = scalar_space();
  const H5Handle handle(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                        "attribute '" + name + "'");
  check(H5Awrite(handle, memory_type, value), "attribute '" + name + "'");
}

}  // namespace

H5Handle::H5Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) throw std::runtime_error("HDF5 cannot create " + what);
}

H5Handle& H5Handle::operator=(H5Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
  }
  return *this;
}

void H5Handle::reset() {
  if (id_ >= 0) close_(id_);
  id_ = -1;
}

H5Handle create_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by exceptions, not on stderr
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "file '" + path + "'"};
}

H5Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "group '" + name + "'"};
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const H5Handle type = text_type();
  const char* pointer = text.c_str();
  attribute(object, name, type, type, &pointer);
}

void write_attribute(hid_t object, const std::string& name, double value) {
  attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, long value) {
  attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LONG, &value);
}

void write_strings(hid_t parent, const std::string& name, const std::vector<std::string>& values) {
  const H5Handle type = text_type();
  const hsize_t count = values.size();
  const H5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "a data space");
  const H5Handle data(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                      "data '" + name + "'");
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "data '" + name + "'");
}

GrowingTable::GrowingTable(hid_t parent, const std::string& name, std::size_t columns) : columns_(columns) {
  const hsize_t start[2] = {0, columns_}, limit[2] = {H5S_UNLIMITED, columns_};
  const hsize_t chunk[2] = {std::max<hsize_t>(1, chunk_bytes / (columns_ * sizeof(double))), columns_};
  const H5Handle space(H5Screate_simple(2, start, limit), H5Sclose, "a data space");
  const H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
  check(H5Pset_chunk(properties, 2, chunk), "properties");
  data_ = H5Handle(H5Dcreate2(parent, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                   H5Dclose, "data '" + name + "'");
}

void GrowingTable::append(const std::vector<double>& rows) {
  if (rows.empty()) return;
  const hsize_t count[2] = {rows.size() / columns_, columns_}, start[2] = {rows_, 0};
  const hsize_t size[2] = {rows_ + count[0], columns_};
  check(H5Dset_extent(data_, size), "rows");
  const H5Handle file_space(H5Dget_space(data_), H5Sclose, "a data space");
  check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr), "rows");
  const H5Handle memory_space(H5Screate_simple(2, count, nullptr), H5Sclose, "a data space");
  check(H5Dwrite(data_, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, rows.data()), "rows");
  rows_ = size[0];
}

}  // namespace lithe::detail
