#pragma once
// Notes, warnings and reasons for distrust on stderr, and what they mean for the exit code.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lithe/io/read_results.hpp"
#include "lithe/simulation/remarks.hpp"

namespace lithe::cli {

/// Says what has not been said before, on stderr: notes (not with --quiet), warnings, and reasons for distrust as
/// errors. A verb calls it before it starts its work and again with what the work has found.
void tell(const Remarks& remarks);

/// The same for a result that was read from a file, with the name of the file; also when the run did not end well.
/// Reasons for distrust are warnings here: the verb does what it was asked for.
void tell_of(const Results& results);

/// fine, or physics_failed when the result is not to be trusted.
int exit_code_of(const Remarks& remarks);

/// "notes", "warnings", "distrust" and "trusted".
nlohmann::json to_json(const Remarks& remarks);
/// Those of results, one entry each, with "file" and "outcome".
nlohmann::json remarks_json(const std::vector<Results>& results);

}  // namespace lithe::cli
