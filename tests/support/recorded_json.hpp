// Answers that are kept as JSON: of oracles, of other programs, of printed tables.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lithe {

/// Of a file of the repository, by its path from there. Throws where there is none.
[[nodiscard]] nlohmann::json recorded_json(const std::string& path);

}  // namespace lithe
