#pragma once
// The mechanism as it ran, in a result: enough to draw and name everything without reading the model again.

#include <string>

#include "lithe/simulation/model.hpp"

namespace lithe::detail {

/// JSON: gravity, plan options, links as in link files (the kept modes with their shapes), joints, springs, which
/// joints are driven, which frames are recorded.
std::string stored_mechanism(const Model& model);

/// A model with these parts. Throws std::runtime_error when the text is not of that kind.
Model model_of_stored(const std::string& text);

}  // namespace lithe::detail
