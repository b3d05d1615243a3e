#pragma once
// What is kept of a link: natural modes, shapes that carry loads at frames statically, or every coordinate.

#include "lithe/links/modes.hpp"

namespace lithe {

struct ReductionChoice {
  ModeChoice modes;
  bool all = false;                     ///< the finite-element coordinates themselves; `modes` must be empty
  std::vector<std::string> interfaces;  ///< Craig-Bampton: constraint modes of these frames + modes with them fixed
  std::vector<std::string> loaded;      ///< static correction: attachment modes of these frames beside the modes
};

/// Mass-normalised basis with deterministic signs. Throws MechanismError naming `link`.
Reduction reduce(const std::string& link, const ElasticModel& model, const ReductionChoice& choice);

}  // namespace lithe
