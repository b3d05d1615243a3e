#pragma once
// Natural modes of the assembled mechanism, as the report page draws them.

#include <nlohmann/json.hpp>

#include "lithe/io/report_motion.hpp"

namespace lithe::detail {

/// The lowest modes at rest near the pose of the first recorded row, motors locked; an empty list when nothing can
/// vibrate or there is no rest nearby.
nlohmann::ordered_json modes_of(const Model& model, RecordedMotion& motion);

/// Rotation and displacement of all moving links per unit of the tree speeds `speeds`.
std::vector<float> twists_of(const Plan& plan, Workspace& work, const VectorX& q, const VectorX& speeds);
/// The elastic ones of the tree speeds, in the order of links.
std::vector<float> elastic_part(const Plan& plan, const VectorX& speeds);

}  // namespace lithe::detail
