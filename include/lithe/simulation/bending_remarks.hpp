#pragma once
// Small bending as remarks of a result.

#include "lithe/kinematics/small_bending.hpp"
#include "lithe/simulation/remarks.hpp"

namespace lithe {

/// One sentence for each link that bends far, with its remedy: a warning beyond `bending_of_note`, distrust beyond
/// `bending_beyond_trust`. `timed`: with the time at which that was.
inline void remark_bending(const Plan& plan, const std::vector<LinkBending>& bending, bool timed, Remarks& remarks) {
  for (const LinkBending& each : worst_pieces(plan, bending)) {
    if (!(each.measure() > bending_of_note)) continue;
    auto& list = each.measure() > bending_beyond_trust ? remarks.distrust : remarks.warnings;
    list.push_back(describe(plan, each, timed));
  }
}

}  // namespace lithe
