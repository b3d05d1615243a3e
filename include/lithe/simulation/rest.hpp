#pragma once
// A model brought to rest at a pose: where statics, natural modes and linearization start.

#include <optional>

#include "lithe/analysis/statics.hpp"
#include "lithe/simulation/driven_motion.hpp"

namespace lithe {

/// The model with the static twins of its links: same motors, loads and frames, deflections and compliance exact for
/// the finite elements of each link whatever shapes it keeps. For statics; it moves like the model, only slower.
Model static_twin(const Model& model);

/// Speeds of the plan of a static twin that `mechanism`, the one it is the twin of, has as well, ascending: all but
/// those of the residual coordinates.
std::vector<int> own_speeds(const Plan& twin, const Mechanism& mechanism);
/// Coordinates q of a static twin without the residual ones: those of the mechanism itself. Its loops then close as
/// well as the shapes that its links keep can tell.
VectorX own_coordinates(const Plan& twin, const Mechanism& mechanism, const VectorX& q);

struct RestOptions {
  std::optional<double> at;  ///< time of the motion laws whose pose is meant (s); without: the initial values
  bool free_motors = false;  ///< the motors may move as well; otherwise they are locked
};

class ModelAtRest {
 public:
  /// The equilibrium near the wanted pose, under gravity, springs and the loads of that time. `model` must outlive this
  /// object. Throws PhysicsError when there is none and MechanismError when the options do not fit the model.
  explicit ModelAtRest(const Model& model, const RestOptions& options = {});

  const Plan& plan() const { return motion_.plan(); }
  Workspace& work() { return motion_.work(); }
  const Equilibrium& rest() const { return rest_; }
  const State& start() const { return start_; }               ///< the pose asked for, before anything gives way
  const std::vector<int>& locked() const { return locked_; }  ///< speeds of the locked motors
  const Remarks& remarks() const { return remarks_; }         ///< what the rest knows nothing of: friction, stops
  NaturalModes modes() { return natural_modes(plan(), work(), rest_.state.q, rest_.linear); }
  /// What every joint carries at rest, the forces of the locked motors included; see joint_reactions().
  std::vector<Wrench> reactions();

 private:
  DrivenMotion motion_;
  Actions actions_;
  State start_;
  std::vector<int> locked_;
  Equilibrium rest_;
  Remarks remarks_;
};

}  // namespace lithe
