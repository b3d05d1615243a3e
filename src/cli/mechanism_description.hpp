#pragma once
// The parts of a compiled mechanism in words: links, joints, tree, loops.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe::cli {

/// Prints links with their mass properties and modes, joints with their coordinates, the spanning tree and the loops.
void print_parts(const Model& model, const Plan& plan);

/// The same as an object: links, joints, loops, planar.
nlohmann::json describe_as_json(const Model& model, const Plan& plan);

std::string text_of(const Vec3& vector);

}  // namespace lithe::cli
