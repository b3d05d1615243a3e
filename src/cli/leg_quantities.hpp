#pragma once
// The passive legs of a planar parallel robot, seen from its platform: twist generators and their annihilators
// (Khan 26-32). Twists are (omega, v_x, v_y) at the mass centre P of the platform, in the plane of motion.

#include <array>
#include <string>
#include <vector>

#include "lithe/kinematics/motion.hpp"

namespace lithe::cli {

struct PlanarLeg {
  std::vector<Vec3> generators;         ///< base to tip; annihilated (p~) for passive joints, plain for actuated ones
  Mat3 annihilator = Mat3::Identity();  ///< Phi: kills the generators of all passive joints
  // With an equal share of the platform at its tip, the leg taken as an open chain (Khan 48-56):
  MatrixX inertia;                 ///< I, base to tip
  VectorX forces;                  ///< tau~: joint forces that the open leg would need for the motion
  Vec3 wrench = Vec3::Zero();      ///< pbar: the passive ones, gathered at P
  Vec3 cut_wrench = Vec3::Zero();  ///< f: what the other sections of the platform exert on this one, at P
  Vec3 normal = Vec3::Zero();      ///< unit force along the last link before the platform joint, taken to P
};

/// Legs in the order of the joints at the platform. Throws InputError when the model is not a planar robot whose
/// platform is carried by chains of revolute and prismatic joints.
std::vector<PlanarLeg> planar_legs(const Plan& plan, Workspace& work, const State& state, const VectorX& a);

/// "legs.determinant", "legs.condition", "legs.matrix.i.j" of K = sum of Phi; "legs.N.generator.k.omega|x|y",
/// "legs.N.delta.k", "legs.N.normal.omega|x|y", "legs.N.annihilator.i.j", "legs.N.inertia.i.j", "legs.N.force.k",
/// "legs.N.wrench.omega|x|y", "legs.N.cut-wrench.omega|x|y". `words` is the name split at its dots.
double leg_quantity(const std::vector<PlanarLeg>& legs, const std::vector<std::string>& words);

}  // namespace lithe::cli
