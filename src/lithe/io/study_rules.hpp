#pragma once
// What may stand in a study file.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

/// The first one is the file itself.
const std::vector<MapRules>& study_rules();

}  // namespace lithe::io
