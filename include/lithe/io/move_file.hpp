#pragma once
// A move that was found, as a model file that includes the model it was found for.

#include <map>
#include <string>

#include "lithe/study/fastest_move.hpp"

namespace lithe {

/// The text of a model file in `folder` that runs `model`, as load_model() gave it with the values `set`, with the laws of
/// this move. Throws MechanismError where the change of a value cannot be written.
std::string move_model_text(const Model& model, const std::map<std::string, std::string>& set, const MoveSearch& search,
                            const std::vector<double>& values, const std::string& folder);

}  // namespace lithe
