#pragma once
// Names for the numbers of the printed recursion of a serial chain, at a state without joint forces.

#include <string>
#include <vector>

#include "reproduce/printed_recursion.hpp"

namespace lithe::reproduce {

/// "chain.TURN.inertia.I.J", "chain.TURN.right.I", "chain.TURN.acceleration.I"; TURN is `paper`, `exact` or
/// `consistent`, unknowns are counted from 1: per link its angle, then its shapes. `words` is the name split at its
/// dots.
double chain_quantity(const BeamChain& chain, const ChainState& state, const std::vector<std::string>& words);

}  // namespace lithe::reproduce
