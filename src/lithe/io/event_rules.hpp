#pragma once
// Rules of events.

#include <vector>

#include "lithe/io/model_rules.hpp"

namespace lithe::io {

/// `drive` are the rules of a drive, which events may change.
std::vector<MapRules> event_sections(const MapRules& drive);

}  // namespace lithe::io
