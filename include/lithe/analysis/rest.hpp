#pragma once
// A model brought to rest at a pose: what `statics`, `modes` and `linearize` start from.

#include <memory>

#include "driven_motion.hpp"
#include "lithe/analysis/statics.hpp"
#include "verbs.hpp"

namespace lithe::cli {

class PoseAtRest {
 public:
  /// The pose of the initial values, or that of the motion laws at `options.at`; then the equilibrium near it with the
  /// motors locked (all joints free to move when `options.free_motors`). Throws PhysicsError and InputError.
  PoseAtRest(const Model& model, const PoseOptions& options);

  const Plan& plan() const { return motion_.plan(); }
  Workspace& work() { return motion_.work(); }
  const Equilibrium& rest() const { return rest_; }
  const State& start() const { return start_; }
  const std::vector<int>& locked() const { return locked_; }
  NaturalModes modes() { return natural_modes(plan(), work(), rest_.state.q, rest_.linear); }

 private:
  DrivenMotion motion_;
  State start_;
  std::vector<int> locked_;
  Equilibrium rest_;
};

}  // namespace lithe::cli
