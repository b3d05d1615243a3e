#pragma once
// Damping of the whole mechanism by ratios of its assembled modes.

#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {

/// The viscous forces that give the natural modes about rest in the prepared pose, motors locked, the ratios of
/// model.damping: with mass-normalised shapes Phi and the inertia M in the coordinates that vibrate,
///   D = M Phi diag(2 ratio omega) Phi^T M,   so that Phi^T D Phi = diag(2 ratio omega).
/// Directions without stiffness are not damped. Throws PhysicsError when no rest is found.
CoupledDamping modal_damping(const Model& model, Prepared& prepared);

}  // namespace lithe::detail
