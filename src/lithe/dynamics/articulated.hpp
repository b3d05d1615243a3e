#pragma once
// Accelerations of an open tree of rigid links in one sweep in and one out; cost grows linearly with the number of
// nodes.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// a from joint forces `force` (motors, springs, dampers), node loads already applied. Speeds with k.prescribed keep
/// the acceleration that stands in `a`. Needs update_positions; does its own velocities.
template <class S>
Status articulated_forward(Kernel<S>& k, const typename S::Vector& v, const typename S::Vector& force,
                           typename S::Vector& a);

}  // namespace lithe::detail
