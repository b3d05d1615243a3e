#pragma once
// LinkData as a JSON value, as link files and results hold it; docs/link-file.md lists the keys.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lithe/links/link_data.hpp"

namespace lithe::detail {

nlohmann::json link_tree(const LinkData& link);

/// Throws std::runtime_error naming `file` and the key for anything missing, of the wrong size, or impossible.
LinkData link_of_tree(const nlohmann::json& tree, const std::string& file);

/// A link file whose bytes have been read already; the ending of `path` tells the format.
LinkData link_of_bytes(const std::string& bytes, const std::string& path);

}  // namespace lithe::detail
