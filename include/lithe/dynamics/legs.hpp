#pragma once
// A parallel robot seen as a platform carried by legs: what the formulation `denoc` makes of every leg.

#include <vector>

#include "lithe/kinematics/state.hpp"

namespace lithe {

/// One leg, a serial chain from the ground to its equal share of the cut platform. Twists are (angular, linear) at the
/// mass centre P of the platform: three components along the axes of the plane in planar arithmetic (omega, x, y), six
/// along the ground axes in space; wrenches likewise. SI units. Columns belong to the speeds of the joints, base to
/// tip.
struct LegQuantities {
  std::vector<int> joints;  ///< of the mechanism, base to tip
  MatrixX generators;       ///< of the passive speeds swept (p~, Khan (27)), of the independent ones plain
  MatrixX annihilator;      ///< Phi: projects on what the passive joints cannot do (Khan (29), (30))
  MatrixX inertia;          ///< I of the open leg
  VectorX forces;           ///< tau~: what the open leg needs along its joints for its motion under gravity
  VectorX passive_wrench;   ///< pbar: those of the passive joints, gathered at P
  VectorX cut_wrench;       ///< f: what the other sections of the platform exert on this one, at P
};

/// The legs in the order of their joints at the platform, for a motion that satisfies the closures; loads, springs and
/// dampers are left out. The independent speeds are those of the workspace. `plan.options().platform` names the
/// platform; without a name it is chosen. Throws MechanismError where `denoc` does not fit or a leg is singular.
std::vector<LegQuantities> leg_quantities(const Plan& plan, Workspace& work, const State& state, const VectorX& a);

}  // namespace lithe
