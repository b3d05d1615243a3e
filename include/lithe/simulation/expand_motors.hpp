#pragma once
// Puts the motors of a model into its mechanism. Reading a file does it; who builds a model in C++ calls it once, when
// everything is in place.

#include "lithe/simulation/model.hpp"

namespace lithe {

/// Rigid gear: the inertia of the rotor moves from the motor to the joint, as armature seen through the gear.
///
/// Elastic gear: a joint JOINT.rotor of the same kind on the same axis, counted on the joint side (rotor angle by
/// ratio), carries the rotor as armature and has the motor; an ElasticGear stands between both. The drives act on the
/// rotor, gains and laws unchanged, so that a controller sees the motor's encoder. A wanted motion stays one of the
/// joint too: runs along the laws and feed-forward take the gear as rigid. Initial values of the joint hold for the
/// rotor.
///
/// Spinning rotor: a body JOINT.spin that turns on its carrier, `ratio` times the joint (or the rotor behind an elastic
/// gear), by a coupling; it has the inertia in place of the armature.
///
/// Law of voltage: the drive becomes a VoltageMotor.
///
/// Doing it again changes nothing. Throws MechanismError.
void expand_motors(Model& model);

}  // namespace lithe
