#pragma once
// Notes, warnings and reasons for distrust on stderr, and what they mean for the exit code.

#include <nlohmann/json_fwd.hpp>

#include "lithe/simulation/remarks.hpp"

namespace lithe::cli {

/// Says what has not been said before, on stderr: notes (not with --quiet), warnings, and reasons for distrust as
/// errors. A verb calls it before it starts its work and again with what the work has found.
void tell(const Remarks& remarks);

/// fine, or physics_failed when the result is not to be trusted.
int exit_code_of(const Remarks& remarks);

/// "notes", "warnings", "distrust" and "trusted".
nlohmann::json to_json(const Remarks& remarks);

}  // namespace lithe::cli
