#pragma once
// The default of elastic links, and `modes: auto`: reference conditions from the joints, and as few shapes as the
// mechanism needs (analysis/shape_choice.hpp) for what a run of the model asks.

#include "lithe/analysis/link_recipe.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {

/// Makes links whose shapes wait for the mechanism (until then it holds their undecided_link()) and puts them into the
/// model, with the reasons in their origins and remarks. Links that are alike get the same shapes. A mechanism that
/// does not assemble in its initial pose gets the lowest modes of its links, and says so; where `automatic` was chosen
/// it is refused by PhysicsError. Throws LinkChoiceError.
void choose_link_shapes(Model& model, std::vector<LinkRecipe> links);

}  // namespace lithe
