#pragma once
// Small motions of a mechanism with its controllers in continuous time.

#include "lithe/simulation/linear_model.hpp"

namespace lithe::detail {

/// Closes the loops of these controllers around a linear model of the mechanism alone; `sensors` is one with all sensors as its
/// outputs. The states of the controllers come behind those of the mechanism. Exact for linear laws; others are
/// differentiated about what the sensors read at the point. Limits have no part in small motions, and every controller
/// is taken as switched on. Throws MechanismError when forces depend on themselves in a way that has no solution.
void close_continuous_loops(OperatingPoint& point, const LinearModel& sensors, LinearModel& model);

}  // namespace lithe::detail
