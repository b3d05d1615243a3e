#pragma once
// The one place that makes text of JSON.

#include <nlohmann/json.hpp>
#include <string>

namespace lithe::detail {

/// Names may come from the command line, from code or from file names, so with bytes that are no UTF-8: they become
/// marks (U+FFFD), where a plain dump() would throw. `indent` -1: all on one line.
template <class Json>
std::string json_text(const Json& tree, int indent = -1) {
  return tree.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lithe::detail
