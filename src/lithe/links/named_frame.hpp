#pragma once
// A frame of a link by its name, or a message that lists the names there are.

#include <string>
#include <vector>

#include "lithe/links/link_data.hpp"

namespace lithe::detail {

/// Throws MechanismError naming `link` when there is none called `name`.
const Frame& named_frame(const std::string& link, const std::vector<Frame>& frames, const std::string& name);

}  // namespace lithe::detail
