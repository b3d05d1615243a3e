#pragma once
// The mechanism of a result as the report page draws it: shapes of links, joints, poses over time.

#include <nlohmann/json.hpp>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// Throws std::exception when the result does not hold what a picture needs; the message says what.
nlohmann::ordered_json scene_of(const Model& model, const Results& results, const std::vector<std::size_t>& rows);

}  // namespace lithe::detail
