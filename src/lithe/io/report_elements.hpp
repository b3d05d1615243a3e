#pragma once
// Machine elements as the report page draws them.

#include <nlohmann/json.hpp>

#include "lithe/io/report_geometry.hpp"

namespace lithe::detail {

/// Adds `ropes`, `bushings` and `contacts` to the scene where there are any, and springs that are elements to `springs`.
void draw_elements(const Mechanism& mechanism, const std::vector<Drawing>& drawings, nlohmann::ordered_json& scene);

}  // namespace lithe::detail
