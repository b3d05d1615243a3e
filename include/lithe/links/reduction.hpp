#pragma once
// What is kept of a link: natural modes, shapes that carry loads at frames statically, or every coordinate.

#include "lithe/links/modes.hpp"

namespace lithe {

struct ReductionChoice {
  ModeChoice modes;                     ///< empty: all modes, or none when there are interfaces or loaded frames
  bool all = false;                     ///< the finite-element coordinates themselves; `modes` must be empty
  std::vector<std::string> interfaces;  ///< Craig-Bampton: constraint modes of these frames + modes with them fixed
  std::vector<std::string> loaded;      ///< static correction: attachment modes of these frames beside the modes
};

/// Mass-normalised basis with deterministic signs and diagonal stiffness. Interfaces: the modes of the link within the
/// Craig-Bampton space. Loaded frames: the static shapes follow the modes as "static 1", ... and leave them unchanged.
/// Throws MechanismError naming `link` for unknown frames and for more modes than there are.
Reduction reduce(const std::string& link, const ElasticModel& model, const ReductionChoice& choice);

/// Some shapes of a basis that reduce() made: `columns` in its coordinates. Natural modes among them (unit columns
/// within the first `modes` coordinates, which come first) stay as they are; the others become "static 1", ...: made
/// independent of the modes and of each other, with diagonal stiffness and deterministic signs.
Reduction kept_shapes(const ElasticModel& model, const Reduction& basis, int modes, const MatrixX& columns);

}  // namespace lithe
