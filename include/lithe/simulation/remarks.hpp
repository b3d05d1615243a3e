#pragma once
// What a model, a run or an analysis has to say about itself besides its numbers.

#include <algorithm>
#include <string>
#include <vector>

namespace lithe {

/// One sentence per entry, each with its remedy where there is one. They travel with the result: into the file, the
/// report page, Python and stderr.
struct Remarks {
  std::vector<std::string> notes;     ///< choices that were made without being asked for, with the reason
  std::vector<std::string> warnings;  ///< what may speak against the result
  std::vector<std::string> distrust;  ///< why the result is not to be trusted: the program ends with exit code 1

  bool trusted() const { return distrust.empty(); }

  /// Takes over what another one says, without saying anything twice.
  void add(const Remarks& other) {
    const auto append = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
      for (const std::string& text : from)
        if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
    };
    append(other.notes, notes);
    append(other.warnings, warnings);
    append(other.distrust, distrust);
  }
};

}  // namespace lithe
