#pragma once
// Momentum and kinetic energy of one link, rigid or elastic, written out from LinkData.

#include "properties/subject.hpp"

namespace lithe::testing {

struct LinkMomentum {
  Vec3 linear = Vec3::Zero();   ///< ground axes
  Vec3 angular = Vec3::Zero();  ///< about the ground origin, ground axes
  double kinetic = 0.0;
  Vec3 weight_arm = Vec3::Zero();  ///< first moment of mass about the ground origin, ground axes
};

/// Frame 0 of the link is its body frame.
LinkMomentum link_momentum(Subject& subject, const State& state, int link);

}  // namespace lithe::testing
