#pragma once
// One link in words and numbers: mass properties, modes, how it was made.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lithe/simulation/model.hpp"

namespace lithe::cli {

/// How the link with this index was made; a rigid one for models without origins.
LinkOrigin origin_of(const Model& model, std::size_t link);

/// Name, kind, mass, centre, inertia, frames; of an elastic link also elements, coordinates, reference, buckling load,
/// stiffening and the mode table.
nlohmann::json link_as_json(const LinkData& link, const LinkOrigin& origin);

/// "8 elements, 16 coordinates, clamped root, buckles at 12.3 N".
std::string elastic_text(const LinkData& link, const LinkOrigin& origin);

/// The mode table of an elastic link.
void print_modes(const LinkData& link);

/// Inertia about the mass centre: the moments, and the products where there are any.
std::string inertia_text(const Mat3& inertia);

}  // namespace lithe::cli
