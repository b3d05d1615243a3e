#pragma once
// Natural modes of the assembled mechanism, as the report page draws them.

#include <nlohmann/json.hpp>

#include "lithe/io/report_motion.hpp"

namespace lithe::detail {

/// The lowest modes at rest near the pose of the first recorded row, motors locked; an empty list when nothing can
/// vibrate or there is no rest nearby.
nlohmann::ordered_json modes_of(const Model& model, RecordedMotion& motion);

}  // namespace lithe::detail
