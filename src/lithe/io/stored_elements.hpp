#pragma once
// Machine elements inside a result, as far as a picture needs them.

#include <nlohmann/json.hpp>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// Ropes, bushings, contacts and springs of the mechanism.
nlohmann::json element_trees(const Mechanism& mechanism);
/// What element_trees() kept: the free length of a rope is that of the start, a spring has no force. Throws like
/// nlohmann::json for other trees.
void add_stored_elements(const nlohmann::json& trees, Mechanism& mechanism);

}  // namespace lithe::detail
