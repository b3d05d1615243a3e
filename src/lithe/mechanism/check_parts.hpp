#pragma once
// Checks of what a machine is made of besides links and joints: friction, stops, motors, couplings, elements.

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// Throws MechanismError that names the frame's user.
void check_frame(const Mechanism& mechanism, FrameRef frame, const std::string& element);

/// Friction, stops, armature and motor of a joint, whose type and sizes are known to be right.
void check_joint_parts(const Joint& joint);
void check_coupling(const Mechanism& mechanism, const Coupling& coupling);
void check_element(const Mechanism& mechanism, const Element& element);

}  // namespace lithe::detail
