#pragma once
// Memory that this process can still get.

#include <string>

namespace lithe::cli {

struct FreeMemory {
  double bytes;
  std::string what;  ///< who sets the limit: "this machine has free", ...
};

/// The least of what the machine has left, what its control group may use, and the limit of the process (ulimit -v).
FreeMemory free_memory();

/// "3.2 GB".
std::string bytes_text(double bytes);

}  // namespace lithe::cli
