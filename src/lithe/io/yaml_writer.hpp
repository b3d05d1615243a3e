#pragma once
// YAML text of a tree, for people: short values in one line, long ones as blocks.

#include <string>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

Node scalar_node(std::string text, const Place& place);
/// The shortest text from which the same number is read again.
Node number_node(double value, const Place& place);
/// Fifteen digits: for numbers that were computed, whose last one is noise.
Node rounded_node(double value, const Place& place);
Node list_node(std::vector<Node> items, const Place& place);
Node map_node(std::vector<Entry> entries, const Place& place);

/// The value in one line: {a: 1, b: [2, 3]}.
std::string flow_text(const Node& node);

/// "key: value" with its end of line, indented by so many spaces; a value too long for the line becomes a block.
std::string entry_text(const std::string& key, const Node& value, int indent);

}  // namespace lithe::io
