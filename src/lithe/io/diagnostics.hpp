#pragma once
// Collecting complaints, so that all errors of a model are reported at once.

#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"

namespace lithe::io {

/// A place in a file; line and column from 1, line 0: the whole file. The string outlives the loading.
struct Place {
  const std::string* file = nullptr;
  int line = 0, column = 0;
};

class Complaints {
 public:
  void add(const Place& place, std::string key, std::string message);
  bool empty() const { return diagnostics_.empty(); }
  /// Throws ModelError with everything collected, in the order of files and lines, when there is anything.
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> diagnostics_;
  std::vector<std::string> files_;  ///< in the order of their first complaint
};

}  // namespace lithe::io
