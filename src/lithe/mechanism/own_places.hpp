#pragma once
// A mechanism and its static twin: which places of the twin's coordinates are those of the mechanism itself.

#include "lithe/mechanism/plan.hpp"

namespace lithe::detail {

/// Of the places 0 ... size - 1 of the twin's coordinates (`first` = &ElasticPlace::q) or speeds (&ElasticPlace::v), all
/// but those of the coordinates that only the twins of the links of `mechanism` have; ascending.
std::vector<int> own_places(const Plan& twin, const Mechanism& mechanism, int size, int ElasticPlace::*first);

}  // namespace lithe::detail
