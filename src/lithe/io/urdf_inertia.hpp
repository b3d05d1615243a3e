#pragma once
// Inertias that no body can have: refused, repaired or accepted.

#include <string>
#include <vector>

#include "lithe/io/diagnostics.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/io/urdf_robot.hpp"

namespace lithe::io {

/// The nearest inertia that a body can have: second moments of mass, S = tr(J)/2 1 - J, must not be negative; those
/// that are become zero.
Mat3 nearest_inertia(const Mat3& inertia);

/// Looks at the inertia of a link; complains, or changes the link and says so.
void settle_inertia(UrdfLink& link, ImpossibleInertia choice, const std::string& format, Complaints& complaints,
                    std::vector<std::string>& notes);

}  // namespace lithe::io
