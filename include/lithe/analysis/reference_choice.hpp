#pragma once
// What the mechanism says about one of its elastic links: where it acts on it, and which reference condition suits it.

#include <string>
#include <vector>

#include "lithe/links/make_link.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

/// The body frame that suits a link, and where other parts of the mechanism act on it.
struct ReferenceChoice {
  Reference reference = Reference::clamped;
  std::string reason;               ///< "motor-1 drives its root"
  std::vector<std::string> loaded;  ///< frames at which joints, loads or springs act
};

/// Frames of a link at which joints, loads and springs act, by name, each once; without its origin.
std::vector<std::string> loaded_frames(const Mechanism& mechanism, int link);

/// Where the mechanism acts on one of its links: the lines of its line loads and, of a link with very many frames (the
/// nodes of a truss), those that are used.
StaticChoice static_choice(const Mechanism& mechanism, int link);

/// Clamped where a joint drives or guides the root, chord where a passive pin holds it, mean axes for a link that
/// floats; clamped otherwise. `otherwise` is kept for a link without frames root and tip.
ReferenceChoice choose_reference(const Mechanism& mechanism, int link, Reference otherwise);

}  // namespace lithe
