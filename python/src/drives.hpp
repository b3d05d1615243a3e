#pragma once
// What drives the joints of a model.

#include "bindings.hpp"

namespace lithe::python {

/// Whether a drive pushes its joint; otherwise it only says which motion is wanted.
bool exerts_force(const Drive& drive);
/// Leaves of a drive only the motion that it follows.
void take_force_away(Drive& drive);

}  // namespace lithe::python
