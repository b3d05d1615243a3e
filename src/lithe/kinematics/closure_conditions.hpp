#pragma once
// The condition numbers that a run looks at again and again.

#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

/// closure_singularity(), with its worst loop only if asked for: that takes singular vectors, which are dear.
Singularity closure_conditions(Workspace& work, const VectorX& q, bool find_loop);

}  // namespace lithe::detail
