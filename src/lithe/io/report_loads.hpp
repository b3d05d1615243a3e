#pragma once
// Loads at frames over the run, as the report page draws them.

#include <nlohmann/json.hpp>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// Adds `loads` to the scene where the model has any that are not zero throughout: `name`, `at` as [link, point], `force` and
/// `moment` as packed triples per row (N, N m; absent where zero), and `axes` where they turn with the frame: its axes in those
/// of the link, as quaternion w x y z.
void draw_loads(const Model& model, const Results& results, const std::vector<std::size_t>& rows,
                nlohmann::ordered_json& scene);

}  // namespace lithe::detail
