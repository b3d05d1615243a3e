#pragma once
// Evaluations whose numbers must not depend on what the workspace did before.

#include "lithe/kinematics/crossing.hpp"

namespace lithe::detail {

/// Forgets the poses that came before, so that the next one is evaluated as if it were the first. The independent set stays.
inline void forget_poses(Workspace& work) {
  with_kernel(work, [](auto& k) {
    k.positions_valid = k.anchored = false;
    k.armed = weak_pose;
    k.tangent_q.resize(0);
    k.tangent.resize(0);
    k.generic_rank = -1;
    if (k.crossing) k.crossing->known = false;
  });
}

}  // namespace lithe::detail
