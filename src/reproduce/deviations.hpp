#pragma once
// Small deviations from a driven motion: x = [independent coordinates; independent speeds], motor forces as the motion
// needs them and nothing else.

#include "lithe/simulation/driven_motion.hpp"

namespace lithe::reproduce {

/// A in d(deviation)/dt = A deviation at the present instant, by central differences.
MatrixX frozen_state_matrix(DrivenMotion& motion);

/// Deviation at `until` = transition * deviation at `from`; fourth-order integration of the linearized equations.
/// Leaves the motion at `until`.
MatrixX transition(DrivenMotion& motion, double from, double until);

}  // namespace lithe::reproduce
