#pragma once
// What the analyses of a pose have in common: the time whose pose is meant, motors that can be locked.

#include <optional>

#include "lithe/simulation/driven_motion.hpp"

namespace lithe::detail {

/// Brings the motion to the time that was asked for; without one it stays at the initial values. Throws MechanismError
/// when the motion laws do not say what the pose is then.
void go_to_asked_pose(DrivenMotion& motion, const std::optional<double>& at);

/// Throws MechanismError for a motor (index into [v; cut speeds]) that closes a loop: nothing in the tree can be held
/// for it.
void require_lockable(const Plan& plan, int motor);

}  // namespace lithe::detail
