#pragma once
// Memory that this process can still get, and work that does not fit into it.

#include <string>

namespace lithe {

struct FreeMemory {
  double bytes;
  std::string what;  ///< who sets the limit: "this machine has free", ...
};

/// The least of what the machine has left, what its control group may use, and the limit of the process (ulimit -v).
FreeMemory free_memory();

/// "3.2 GB".
std::string bytes_text(double bytes);

/// Throws MechanismError about `element` when there is less: "WHAT take 3.2 GB of memory, but this machine has free
/// 1.1 GB; REMEDY".
/// Amounts that any machine has are not looked at.
void require_memory(double bytes, const std::string& element, const std::string& what, const std::string& remedy);

/// For an allocation that failed nevertheless.
std::string out_of_memory_text();

}  // namespace lithe
