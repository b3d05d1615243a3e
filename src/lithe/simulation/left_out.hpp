#pragma once
// What a pose of rest and a linear model know nothing of.

#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

/// Joints at hard stops or held by dry friction are free there, and currents, pressures and sums of errors stay as they are;
/// in words, empty when there are none. `locked`: tree speeds that stand still anyway.
std::string what_is_left_out(const Plan& plan, Workspace& work, const State& state, const std::vector<int>& locked);

}  // namespace lithe::detail
