#pragma once
// A thin owner of HDF5 handles and the few calls that the results need. Every call throws std::runtime_error on
// failure.
//
// A damaged file must not crash its reader. Files are written in the format of HDF5 1.8, in which checksums guard the
// metadata; data sets carry checksums of their own; texts have a fixed length, since those of variable length stand in
// a heap that nothing guards and that the library reads without looking.

#include <string>
#include <utility>
#include <vector>

#include "lithe/io/hdf5_driver.hpp"
#include "lithe/io/hdf5_library.hpp"

namespace lithe::detail {

class H5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  H5Handle() = default;
  H5Handle(hid_t id, Close close, const std::string& what);  ///< throws when id is negative
  ~H5Handle() { reset(); }
  H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5Handle& operator=(H5Handle&& other) noexcept;

  operator hid_t() const { return id_; }  // NOLINT: stands for the handle
  explicit operator bool() const { return id_ >= 0; }
  void reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// What is written goes to `target`, whose fault tells whether it got there.
H5Handle create_file(WriteTarget& target);
void flush_file(hid_t file);
bool is_hdf5_file(const std::string& path);
/// For reading.
H5Handle open_file(const std::string& path);
/// A file whose bytes are in memory, for reading.
H5Handle open_image(const std::string& bytes);
H5Handle open_group(hid_t parent, const std::string& name);
bool has_member(hid_t parent, const std::string& name);
H5Handle create_group(hid_t parent, const std::string& name);
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, long value);
void write_strings(hid_t parent, const std::string& name, const std::vector<std::string>& values);

/// Bytes of any kind and number, compressed.
void write_bytes(hid_t parent, const std::string& name, const std::string& bytes);

/// Texts of variable length are read only when asked for: from files that other programs may have written.
enum class TextLength { fixed, any };
std::string read_text(hid_t object, const std::string& name, TextLength length = TextLength::fixed);
double read_number(hid_t object, const std::string& name);
/// What was written as a whole number; refuses one that is none, or larger than anything that is counted here.
long as_whole(double number, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);
std::vector<std::string> member_names(hid_t group);
std::vector<std::string> read_strings(hid_t parent, const std::string& name, TextLength length = TextLength::fixed);
std::string read_bytes(hid_t parent, const std::string& name);
/// Rows one after the other; `columns` must be the number of columns.
std::vector<double> read_table(hid_t parent, const std::string& name, std::size_t columns);

/// A table of doubles that grows row by row.
class GrowingTable {
 public:
  GrowingTable() = default;
  GrowingTable(hid_t parent, const std::string& name, std::size_t columns);
  void append(const std::vector<double>& rows);  ///< whole rows, one after the other

 private:
  H5Handle data_;
  hsize_t columns_ = 0, rows_ = 0;
};

}  // namespace lithe::detail
