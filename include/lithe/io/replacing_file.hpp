#pragma once
// Files that are written whole or not at all.

#include <string>
#include <string_view>
#include <vector>

namespace lithe {

/// A file that is written under a temporary name beside its own ("NAME.partial") and takes its own name with commit():
/// an earlier file of that name stays whole until then, whatever happens. Without commit() the temporary one
/// disappears, unless the program was killed. It is locked, so that a second writer is told. Every function throws
/// ResultsError with the file and the reason.
class ReplacingFile {
 public:
  /// Refuses a name that is a folder, a device, a symbolic link (its target would stay, and the link be lost), a
  /// write-protected file, or one of the `inputs` by whatever name.
  explicit ReplacingFile(std::string path, const std::vector<std::string>& inputs = {});
  ~ReplacingFile();
  ReplacingFile(const ReplacingFile&) = delete;
  ReplacingFile& operator=(const ReplacingFile&) = delete;

  void open();  ///< creates the temporary file, empty, and locks it
  void write(std::string_view bytes);
  /// Throws when `fault`, an errno of somebody who wrote to the descriptor, is not zero.
  void require_written(int fault) const;
  void commit();

  const std::string& temporary() const { return temporary_; }
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }  ///< for reading and writing; -1 before open()

 private:
  bool lock();

  std::string path_, temporary_;
  int descriptor_ = -1;
};

/// Writes all bytes to a descriptor; 0, or the errno of what went wrong.
int write_all(int descriptor, std::string_view bytes);

/// Throws ResultsError: cannot write FILE, the reason of the operating system, and what to do.
[[noreturn]] void cannot_write(const std::string& path, int reason);

}  // namespace lithe
