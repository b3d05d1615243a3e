#pragma once
// Meshes of links as the report page and results carry them: welded, in 16-bit steps of their box.

#include <nlohmann/json.hpp>

#include "lithe/simulation/model.hpp"

namespace lithe::detail {

/// `low` and `size` of the box (m), `points` and `triangles` packed, `wide` when triangles have 32-bit numbers, `colour`
/// as #rrggbb where it has one.
nlohmann::ordered_json mesh_block(const Visual& visual);

/// Those of one link.
nlohmann::ordered_json mesh_blocks(const Model& model, const std::string& link);

bool has_visual(const Model& model, const std::string& link);
/// Whether solids that the link was put together from are not drawn.
bool replaces_drawing(const Model& model, const std::string& link);

/// All of a model, for results, and back. Throws std::runtime_error or a JSON exception for what is none.
nlohmann::ordered_json visuals_tree(const Model& model);
std::vector<Visual> visuals_of_tree(const nlohmann::json& tree);

}  // namespace lithe::detail
