#pragma once
// Motors, gears, friction, stops and brakes for the joints of random mechanisms.

#include "lithe/simulation/model.hpp"
#include "support/random_mechanism.hpp"

namespace lithe::testing {

/// Every joint that turns or slides along one axis gets something, in turn; brakes close and open within `duration`.
void equip_joints(Model& model, const RandomMechanism& random, std::uint32_t seed, double duration);

}  // namespace lithe::testing
