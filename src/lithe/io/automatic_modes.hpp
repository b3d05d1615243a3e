#pragma once
// `modes: auto`: reference conditions from the joints, and as many shapes as the frequencies of the assembled mechanism
// need.
//
// Every such link first gets a rich basis. The mechanism with these is linearised once, at rest in its initial pose
// with straight links. What fewer shapes would give is then the Ritz values of the same matrices on a subspace: shapes
// are added, best first, until the frequencies in the band have settled.

#include <string>
#include <vector>

#include "lithe/io/elastic_building.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

/// A link whose shapes wait for the mechanism.
struct AutomaticLink {
  int link = 0;     ///< of the mechanism
  std::string key;  ///< its kind
  ElasticBody body;
  ElasticSayings sayings;
};

/// Puts the chosen links into the model, with the reasons in their origins. Links that are alike get the same shapes.
/// Throws PhysicsError when the mechanism does not assemble in its initial pose, BuildError and MechanismError.
void choose_modes(Model& model, const std::vector<AutomaticLink>& links);

/// The body frame that suits a link, and where other parts of the mechanism act on it.
struct ReferenceChoice {
  Reference reference = Reference::clamped;
  std::string reason;               ///< "motor-1 drives its root"
  std::vector<std::string> loaded;  ///< frames at which joints, loads or springs act
};

/// Clamped where a joint drives or guides the root, chord where passive pins hold both ends, mean axes for a link that
/// floats; clamped otherwise. `otherwise` is kept for a link without frames root and tip.
ReferenceChoice choose_reference(const Mechanism& mechanism, int link, Reference otherwise);

const char* name_of(Reference reference);  ///< as written in model files

}  // namespace lithe::io
