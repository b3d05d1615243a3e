#pragma once
// Random mechanisms whose assembled pose is known by construction.
//
// All links are first put at random poses; then every joint gets random coordinates and its second frame is placed on
// its link so that the joint is satisfied there. Loops come as ears: chains of new links between two links that exist
// already, with at least as many joint freedoms as the closure takes away (6, in a plane 3; the first ear has one
// more), so the mechanism moves. The joint transformations are written here anew from the definitions in joint.hpp and
// so also check those of the engine.

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "lithe/mechanism/plan.hpp"

namespace lithe::testing {

/// What kind of mechanism is wanted. Same shape, same mechanism. Made of small numbers so that it shrinks.
struct MechanismShape {
  std::uint32_t seed = 0;
  int loops = 1;
  int branches = 0;       ///< open branches, one link each, hung on links or on each other
  bool planar = false;    ///< all motion in one (randomly tilted) plane
  bool floating = false;  ///< hangs on a free joint alone and nothing else touches the ground
  bool gravity = true;
  bool springs = false;  ///< joint springs and point-to-point springs
  bool dampers = false;  ///< the same for damping
  bool loads = false;    ///< load ports and line loads
  bool elastic = false;  ///< about half of the links bend
  int couplings = 0;     ///< of two or three coordinates, satisfied in the known pose; half of the joints have rotors
};
std::ostream& operator<<(std::ostream& out, const MechanismShape& shape);

struct RandomMechanism {
  Mechanism mechanism;
  std::vector<Pose> link_poses;         ///< assembled pose of each link, ground axes
  std::vector<VectorX> joint_values;    ///< coordinates of each joint there
  std::vector<VectorX> elastic_values;  ///< elastic coordinates of each link there; empty when all are rigid
};

RandomMechanism make_mechanism(const MechanismShape& shape);

/// Pose of the to-frame in the from-frame of a joint at coordinates q.
Pose joint_transformation(const Joint& joint, const VectorX& q);

/// The known assembled coordinates in the order of the plan: tree joints, cut joints.
VectorX known_coordinates(const Plan& plan, const RandomMechanism& random);
VectorX known_cut_coordinates(const Plan& plan, const RandomMechanism& random);

/// Deterministic vector with entries in [-size, size].
VectorX random_vector(std::uint32_t seed, int length, double size = 1.0);

}  // namespace lithe::testing
