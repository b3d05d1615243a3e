#pragma once
// Files that the program writes in one go.

#include <string>

namespace lithe::cli {

/// A folder that does not exist is found before the work, not after it; throws InputError.
void require_folder(const std::string& file);

/// Writes under a temporary name and renames, so that an earlier file stays whole when something fails. Throws.
void write_file(const std::string& path, const std::string& content);

}  // namespace lithe::cli
