#pragma once
// Rules of materials, links and their frames; those of a kind of elastic link stand with its reader.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

std::vector<MapRules> link_sections();

}  // namespace lithe::io
