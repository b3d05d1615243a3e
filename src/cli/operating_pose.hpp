#pragma once
// The operating point of modes and linearize, for people and for scripts.

#include <nlohmann/json_fwd.hpp>

#include "lithe/simulation/operating_point.hpp"
#include "verbs.hpp"

namespace lithe::cli {

/// "motors locked", ...
std::string motors_in_words(const OperatingPoint& point);

/// What --free and --locked ask for; `otherwise` without them. Throws InputError when both are given.
Motors motors_of_options(const PoseOptions& options, Motors otherwise);

/// Joint coordinates with what the motors apply; where something moved away from the given pose, that too.
void print_pose(OperatingPoint& point);

/// t, moving, pose, given, motors, moved, remarks.
void add_pose(OperatingPoint& point, nlohmann::json& answer);

}  // namespace lithe::cli
