#pragma once
// Which integrator a run takes when its model says `auto`.

#include <string>

#include "lithe/simulation/mechanism_motion.hpp"

namespace lithe::detail {

/// Writes the integrator and its tolerances into `options`, whose integrator is `automatic`, and returns why. `motion`
/// is that of the assembled start `y`.
std::string choose_integrator(const Plan& plan, MechanismMotion& motion, const VectorX& y, RunOptions& options,
                              bool controllers_have_states);

/// When that integrator cannot go on, or makes no headway: the one for stiff equations.
void choose_stiff_integrator(RunOptions& options);

/// What to change when a run is not exact enough.
std::string remedy_for_accuracy(const RunOptions& options);

/// One line for those who want to do the run again: integrator, what governs its steps and, when `auto` chose, why.
std::string describe_integrator(const RunOptions& options, const std::string& why_chosen);

}  // namespace lithe::detail
