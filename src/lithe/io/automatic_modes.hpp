#pragma once
// The default of elastic links, and `modes: auto`: reference conditions from the joints, and as few shapes as the
// mechanism needs (analysis/shape_choice.hpp). Here model files meet that choice: which links wait for it, what a run
// asks of it, and the finished links.

#include <string>
#include <vector>

#include "lithe/io/elastic_building.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

/// A link whose shapes wait for the mechanism; until then the mechanism holds its rigid twin.
struct AutomaticLink {
  int link = 0;     ///< of the mechanism
  std::string key;  ///< its kind
  ElasticBody body;
  ElasticSayings sayings;
  Item item;  ///< of its kind: what is to blame when nothing was said about modes
};

/// Puts the chosen links into the model, with the reasons in their origins. Links that are alike get the same shapes.
/// A mechanism that does not assemble in its initial pose gets the lowest modes of its links, and says so; with `auto`
/// in the file it is refused by PhysicsError. Throws BuildError and MechanismError.
void choose_modes(Model& model, const std::vector<AutomaticLink>& links);

}  // namespace lithe::io
