#pragma once
// Natural frequencies of a mechanism at the pose of a motion, at rest and without loads.

#include "lithe/simulation/driven_motion.hpp"

namespace lithe::reproduce {

/// rad/s, ascending; a negative value marks an unstable direction. Motors locked at their angles, or free to turn.
/// The motion keeps its independent set. Throws PhysicsError when the motors cannot be held all at once.
VectorX natural_frequencies(DrivenMotion& motion, bool motors_locked);

}  // namespace lithe::reproduce
