#pragma once
// Where a mechanism stands: origins and rotations of its links, coordinates of its joints; one pose, or all ways to
// assemble the loops beside each other.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lithe/simulation/prepare.hpp"

namespace lithe::cli {

/// Links and joints at the state of `prepared`.
void print_pose(Prepared& prepared);
nlohmann::json pose_as_json(Prepared& prepared);

/// Joint coordinates in which the branches differ, as many branches beside each other as the terminal has room for.
void print_branches(Prepared& prepared, const std::vector<VectorX>& branches);
nlohmann::json branches_as_json(Prepared& prepared, const std::vector<VectorX>& branches);

}  // namespace lithe::cli
