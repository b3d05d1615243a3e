#pragma once
// Names for the quantities of the legs of a planar parallel robot (lithe/dynamics/legs.hpp). Twists are
// (omega, v_x, v_y) at the mass centre P of the platform.

#include <string>
#include <vector>

#include "lithe/dynamics/legs.hpp"

namespace lithe::reproduce {

struct PlanarLegs {
  std::vector<LegQuantities> legs;
  std::vector<Vec3> normals;  ///< per leg: unit force along the last link before the platform joint, taken to P
};

/// Throws CaseError when the model is not a planar robot with a platform.
PlanarLegs planar_legs(const Plan& plan, Workspace& work, const State& state, const VectorX& a);

/// "legs.determinant", "legs.condition", "legs.matrix.i.j" of K = sum of Phi; "legs.N.generator.k.omega|x|y",
/// "legs.N.delta.k", "legs.N.normal.omega|x|y", "legs.N.annihilator.i.j", "legs.N.inertia.i.j", "legs.N.force.k",
/// "legs.N.wrench.omega|x|y", "legs.N.cut-wrench.omega|x|y". `words` is the name split at its dots.
double leg_quantity(const PlanarLegs& robot, const std::vector<std::string>& words);

}  // namespace lithe::reproduce
