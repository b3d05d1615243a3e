#pragma once
// The memory of drives with an integral part: machine elements that exert no force, but whose own states sum the errors up, so that
// integrators carry them along. DriveSet makes forces of them.

#include "lithe/simulation/model.hpp"

namespace lithe::detail {

/// Adds one for every drive with `ki` and every path whose task gains have one. Throws MechanismError for a drive without
/// a law of its own.
void add_drive_integrals(const Model& model, Mechanism& mechanism);

/// Where the sums stand in State::x: of a drive one, of a path those of x, y and z and, when it turns, those of the
/// rotation vector. -1: there are none.
int integral_of(const Mechanism& mechanism, const Drive& drive);
int integral_of(const Mechanism& mechanism, const PathDrive& path);

}  // namespace lithe::detail
