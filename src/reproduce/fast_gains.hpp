#pragma once
// Vibration control by singular perturbation, Boutin (6.12)-(6.36): feedback of the modal forces of the elastic links at a frozen pose.
//
//   fast-gain.MOTOR.force.N         gain on the N-th modal force (K b)_N, elastic coordinates counted over all links
//   fast-gain.MOTOR.rate.N          gain on its rate eps (K b')_N, eps^-2 the smallest modal stiffness

#include <string>
#include <vector>

#include "lithe/simulation/driven_motion.hpp"

namespace lithe::reproduce {

/// Gains of least cost with unit weights on these states and on the motor forces: one row per motor, [forces | rates].
struct FastGains {
  std::vector<std::string> motors;
  MatrixX F;
};

/// At the present pose of the motion. Throws CaseError for a model without elastic links or with links whose stiffness is not that of
/// modes, PhysicsError when the motors do not reach every mode.
FastGains fast_gains(DrivenMotion& motion);

double fast_gain_value(const FastGains& gains, const std::vector<std::string>& words);

}  // namespace lithe::reproduce
