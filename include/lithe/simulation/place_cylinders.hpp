#pragma once
// Cylinders of a model: where they stand at the start follows from the rest of the mechanism.

#include <vector>

#include "lithe/mechanism/cylinder.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {

/// Assembles the model without its cylinders (links that only these hold: where `initial` puts them), turns the
/// cylinders that add_cylinder() has added to the mechanism towards their ends there, and gives those whose extension
/// follows no law and is not among the initial values theirs. Throws MechanismError.
void place_cylinders(Model& model, const std::vector<Cylinder>& cylinders);

}  // namespace lithe
