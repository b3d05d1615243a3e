#pragma once
// Small motions of a mechanism with its sampled controllers: what is held between samples, forces on their way and the memory of
// the controllers included.

#include "lithe/control/state_space.hpp"
#include "lithe/simulation/operating_point.hpp"

namespace lithe {

/// The loop of all sampled controllers of the model about an operating point (Motors::loaded), from one instant at which
/// all of them are due to the next: x[k+1] = A x[k], without inputs and outputs. Exact for linear controllers; others are
/// differentiated about what the sensors read at the point, with the motors where they are wanted. Limits of forces and
/// their rates, resolution and noise have no part in small motions, and every controller is taken as switched on. A memory
/// that a controller does not show (SampledSystem::state()) is taken as none.
///
/// Throws MechanismError without sampled controllers, for sample times that are no multiples of the shortest, and for
/// sensors with a sample time or a delay of their own.
StateSpace sampled_loop(OperatingPoint& point);

}  // namespace lithe
