#pragma once
// The one place that makes text of JSON, and JSON of text: a writer or a parser takes the compiler as long as a thousand lines.

// The literal "..."_json of nlohmann is a function in a header and no template: the compiler would instantiate the parser for it in
// every file. Its body becomes a template that nobody calls.
#define _json(text, length) \
  _json(text, length);      \
  template <class>          \
  nlohmann::json never_called(text, length)
#include <nlohmann/json.hpp>
#undef _json

#include <string>
#include <string_view>

namespace lithe::detail {

/// Names may come from the command line, from code or from file names, so with bytes that are no UTF-8: they become
/// marks (U+FFFD), where a plain dump() would throw. `indent` -1: all on one line.
std::string json_text(const nlohmann::json& tree, int indent = -1);
std::string json_text(const nlohmann::ordered_json& tree, int indent = -1);

/// Throws nlohmann::json::parse_error, with the byte at which it is no JSON.
nlohmann::json json_of(std::string_view text);
nlohmann::ordered_json ordered_json_of(std::string_view text);

/// Text that is no JSON becomes a value that is_discarded().
nlohmann::json json_or_discarded(std::string_view text);

}  // namespace lithe::detail
