#pragma once
// Closing the loops with regard to what was asked for, and choosing among assemblies where that leaves a choice.

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/wish.hpp"

namespace lithe {

struct WishedAssembly {
  AssemblyReport report;
  int found = 1;         ///< different assemblies that were looked at
  int equally_good = 0;  ///< others among them that are about as good as the one taken
};

/// Closes the loops from q. Wishes come in the order of their importance:
///   - firm ones hold, or there is no assembly (report.status);
///   - the others hold as far as those before them and the loops leave them free to. A value that cannot be had is
///     where the search starts; wish_error() tells how far it gave way.
/// Coordinates without a wish start where they are in `q`, and elastic coordinates keep their values there unless the
/// joints alone cannot close the loops. Where the wishes do not point to one assembly (a loop without any passive
/// value, or values far from every assembly nearby), several starts are tried, always the same ones, and the best
/// result is taken: near to the wishes, joints near to zero, platforms upright, joints that play the same part
/// alike (`choose` off: the first one that is found). Motors without a wish that play the same part then get the same
/// value, if that closes the loops.
WishedAssembly assemble_wishes(const Plan& plan, Workspace& work, VectorX& q, const std::vector<Wish>& wishes,
                               bool choose = true);

}  // namespace lithe
