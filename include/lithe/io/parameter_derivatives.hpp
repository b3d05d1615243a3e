#pragma once
// Derivatives by named parameters of a model file (its section `parameters`): a mass, a length, a stiffness.
//
// Everything that the file makes of a parameter counts: shapes and modes of links, the damping of assembled modes, the
// poses that close the loops. Independent coordinates and speeds, forces and loads stay as they are.

#include <string>
#include <vector>

#include "lithe/dynamics/derivatives.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {

/// One column per parameter, and how far two differences for it with different steps are apart, relative to it.
struct ParameterSlopes {
  MatrixX slopes;
  VectorX error;
};

/// Slopes of forward_dynamics() at the state of `at`, which was prepared from `model`: accelerations of all tree speeds
/// (rows). Central differences of eighth order of whole evaluations, each of a model that is read again: 1e-8 or better
/// where the modes of links are smooth functions of the parameter. Throws MechanismError for an unknown parameter and
/// PhysicsError when the mechanism has other coordinates beside this value, or does not change smoothly.
ParameterSlopes forward_slopes_by_parameters(const Model& model, const Prepared& at, const Actions& actions,
                                             const std::vector<std::string>& parameters);

/// The same for the forces on the independent speeds (rows) that accelerations `a` need beyond `actions`.
ParameterSlopes inverse_slopes_by_parameters(const Model& model, const Prepared& at, const Actions& actions,
                                             const VectorX& a, const std::vector<std::string>& parameters);

}  // namespace lithe
