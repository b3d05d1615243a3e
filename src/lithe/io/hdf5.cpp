#include "lithe/io/hdf5.hpp"

#include <algorithm>
#include <stdexcept>

namespace lithe::detail {
namespace {

constexpr hsize_t chunk_bytes = 64 * 1024;
constexpr unsigned compression = 4;

void check(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5 cannot write " + what);
}

H5Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "a data space"}; }

/// Text of so many bytes, at least one.
H5Handle text_type(std::size_t size) {
  H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a text type");
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), "a text type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "a text type");
  return type;
}

/// A data set in chunks with checksums.
H5Handle guarded_data(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& size,
                      const std::vector<hsize_t>& limit, const std::vector<hsize_t>& chunk, bool compressed) {
  const H5Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), limit.data()), H5Sclose,
                       "a data space");
  const H5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "properties");
  check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "properties");
  if (compressed && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    check(H5Pset_deflate(properties, compression), "properties");
  check(H5Pset_fletcher32(properties), "properties");
  return {H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
          "data '" + name + "'"};
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

namespace {

/// Names and attributes stand in the headers of their groups, which have checksums. Many of them would move into heaps,
/// and the library follows damaged ones into memory that is not there.
H5Handle group_properties(hid_t kind) {
  constexpr unsigned any_number = 65535;
  H5Handle properties(H5Pcreate(kind), H5Pclose, "group properties");
  check(H5Pset_link_phase_change(properties, any_number, 0), "group properties");
  check(H5Pset_attr_phase_change(properties, any_number, 0), "group properties");
  return properties;
}

}  // namespace

H5Handle create_file(WriteTarget& target) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failures are reported by exceptions, not on stderr
  const H5Handle access(access_through(target), H5Pclose, "file access properties");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "file access properties");
  return {H5Fcreate("lithe", H5F_ACC_TRUNC, group_properties(H5P_FILE_CREATE), access), H5Fclose, "a file"};
}

void flush_file(hid_t file) { check(H5Fflush(file, H5F_SCOPE_LOCAL), "to disk"); }

H5Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, group_properties(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose,
          "group '" + name + "'"};
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const H5Handle type = text_type(text.size());
  attribute(object, name, type, type, text.c_str());
}

void write_attribute(hid_t object, const std::string& name, double value) {
  attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t object, const std::string& name, long value) {
  attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LONG, &value);
}

void write_strings(hid_t parent, const std::string& name, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const std::string& value : values) longest = std::max(longest, value.size());
  std::vector<char> letters(values.size() * longest, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), letters.begin() + static_cast<std::ptrdiff_t>(i * longest));
  const H5Handle type = text_type(longest);
  const std::vector<hsize_t> size{values.size()}, chunk{std::max<hsize_t>(1, values.size())};
  const H5Handle data = guarded_data(parent, name, type, size, size, chunk, false);
  if (!values.empty())
    check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()), "data '" + name + "'");
}

void write_bytes(hid_t parent, const std::string& name, const std::string& bytes) {
  const std::vector<hsize_t> size{bytes.size()}, chunk{std::clamp<hsize_t>(bytes.size(), 1, 1U << 20U)};
  const H5Handle data = guarded_data(parent, name, H5T_STD_U8LE, size, size, chunk, true);
  if (!bytes.empty())
    check(H5Dwrite(data, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), "data '" + name + "'");
}

GrowingTable::GrowingTable(hid_t parent, const std::string& name, std::size_t columns) : columns_(columns) {
  const hsize_t rows_in_chunk = std::max<hsize_t>(1, chunk_bytes / (columns_ * sizeof(double)));
  data_ = guarded_data(parent, name, H5T_IEEE_F64LE, {0, columns_}, {H5S_UNLIMITED, columns_},
                       {rows_in_chunk, columns_}, false);
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
