#pragma once
// Assembled poses around a given one: a singular pose has a smaller rank than its neighbours.

#include <vector>

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// A few poses that close the loops, some hundredths of a radian (or of the characteristic length) from q in random
/// directions, the same at every call; elastic coordinates stay. None when q itself leaves loops open.
template <class S>
std::vector<VectorX> assembled_poses_nearby(Kernel<S>& k, const VectorX& q);

}  // namespace lithe::detail
