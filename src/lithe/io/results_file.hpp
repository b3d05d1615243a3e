#pragma once
// What the result files have in common.

#include <string>

namespace lithe::detail {

/// A file that is written under a temporary name beside its own and takes its own name only on commit(), so that a run
/// that fails before its first row leaves an earlier result untouched. Without commit() it disappears.
class ReplacingFile {
 public:
  explicit ReplacingFile(std::string path);
  ~ReplacingFile();
  ReplacingFile(const ReplacingFile&) = delete;
  ReplacingFile& operator=(const ReplacingFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  const std::string& path() const { return path_; }
  bool committed() const { return committed_; }
  void commit();  ///< throws std::runtime_error when the name cannot be taken

 private:
  std::string path_, temporary_;
  bool committed_ = false;
};

/// Message for a result file that cannot be written, with the reason of the operating system.
[[noreturn]] void cannot_write(const std::string& path);

}  // namespace lithe::detail
