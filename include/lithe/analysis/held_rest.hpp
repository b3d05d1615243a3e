#pragma once
// Rest in a pose that is given, with the motors held there.

#include <optional>

#include "lithe/analysis/statics.hpp"

namespace lithe {

struct HeldRest {
  Equilibrium rest;
  std::vector<int> held;  ///< tree speeds that were held: the motors in `motors` and, where needed, passive joints
  /// Passive joints came to rest by themselves. Otherwise they have no rest nearby (or a motor closes a loop and cannot
  /// be held by itself), and all joints were held in the pose that is given.
  bool settled = true;
};

/// Holds the motors (indices into [v; cut speeds]) where `start` has them and lets the rest settle: elastic links
/// always, passive joints where they find rest nearby. Throws PhysicsError when even the elastic links find none.
HeldRest rest_with_motors_held(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                               const std::vector<int>& motors);

/// A state close to a stable equilibrium, found by going downhill from `start` with the speeds in `locked` held;
/// nothing when there is none that can be reached. An equilibrium that is unstable is kept only when `start` stands
/// within a hundredth of a radian of it.
std::optional<State> descend_to_rest(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                                     const std::vector<int>& locked);

}  // namespace lithe
