#pragma once
// modes, damping, stiffening and tip rotation of elastic links as they are written.

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/reader.hpp"
#include "lithe/links/make_link.hpp"

namespace lithe::io {

/// Nothing when something was wrong, after complaining. `frames`: what the link has.
std::optional<ModesChoice> read_modes(const Item& item, const std::vector<std::string>& frames, Reader& reader);
std::optional<Damping> read_damping(const Item& item, Reader& reader);
std::optional<Stiffening> read_stiffening(const Item& item, Reader& reader);
std::optional<TipRotation> read_tip_rotation(const Item& item, Reader& reader);

}  // namespace lithe::io
