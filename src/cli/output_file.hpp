#pragma once
// Files that the program writes in one go, and what it says on stdout.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lithe::cli {

/// A folder that does not exist is found before the work, not after it; throws InputError.
void require_folder(const std::string& file);

/// Results (HDF5) with another ending are a table of text that somebody hoped for; throws InputError.
void require_results_name(const std::string& path);

/// Writes under a temporary name and renames, so that an earlier file stays whole when something fails. Refuses to
/// replace one of `inputs`, a device, a link or a protected file. Throws.
void write_file(const std::string& path, const std::string& content, const std::vector<std::string>& inputs = {});

/// The answer of a verb with --json; bytes that are no UTF-8 (of file names, say) become marks.
void print_json(const nlohmann::json& answer, int indent = 2);

/// Whether everything that was printed has reached stdout; complains when it has not.
bool finish_stdout();

}  // namespace lithe::cli
