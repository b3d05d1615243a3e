#pragma once
// What a controller does to each mode of a plant, those that it was not made for among them.

#include "lithe/control/synthesis.hpp"

namespace lithe {

/// A mode of the plant and what becomes of it in the loop.
struct ModeChange {
  Pole open, closed;
  bool designed = false;  ///< the model for which the gains were computed has it
};

/// One per mode of the plant (poles with negative imaginary part left out), by rising frequency. Which pole of the
/// loop belongs to a mode is told by its eigenvector: the one most alike, each pole once.
std::vector<ModeChange> mode_changes(const Synthesis& result);

}  // namespace lithe
