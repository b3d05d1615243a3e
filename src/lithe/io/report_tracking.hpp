#pragma once
// How far driven joints are from the motion that they shall follow.

#include <nlohmann/json.hpp>

#include "lithe/io/read_results.hpp"

namespace lithe::detail {

/// Series of the report, one for every joint that feedback or feed-forward makes follow a law: recorded minus wanted
/// coordinate at `rows`. Joints that follow exactly have none.
nlohmann::ordered_json tracking_errors(const Results& results, const Model& model,
                                       const std::vector<std::size_t>& rows);

}  // namespace lithe::detail
