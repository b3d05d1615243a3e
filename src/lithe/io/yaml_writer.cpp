#include "lithe/io/yaml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lithe::io {
namespace {

constexpr std::size_t line_width = 118;

/// Characters that mean something else in a plain scalar, also inside [] and {}.
bool needs_quotes(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return true;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) {
    // A minus before a number or name is an expression, not a list.
    if (text.front() != '-' || text.size() == 1 || text[1] == ' ') return true;
  }
  return text.find_first_of(",[]{}") != std::string::npos || text.find(": ") != std::string::npos ||
         text.back() == ':' || text.find(" #") != std::string::npos;
}

std::string scalar_text(const Node& node) {
  if (node.text.find_first_of("\n\t\r") != std::string::npos) {
    std::string text = "\"";
    for (const char c : node.text) {
      if (c == '"' || c == '\\') text += '\\';
      text += c == '\n'   ? std::string("\\n")
              : c == '\t' ? std::string("\\t")
              : c == '\r' ? std::string("\\r")
                          : std::string(1, c);
    }
    return text + "\"";
  }
  if (!node.quoted && !needs_quotes(node.text)) return node.text;
  std::string text = "'";
  for (const char c : node.text) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

}  // namespace

Node scalar_node(std::string text, const Place& place) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = std::move(text);
  node.place = place;
  return node;
}

Node number_node(double value, const Place& place) { return scalar_node(fmt::format("{}", value + 0.0), place); }

Node rounded_node(double value, const Place& place) { return scalar_node(fmt::format("{:.15g}", value + 0.0), place); }

Node list_node(std::vector<Node> items, const Place& place) {
  Node node;
  node.kind = Node::Kind::list;
  node.items = std::move(items);
  node.place = place;
  return node;
}

Node map_node(std::vector<Entry> entries, const Place& place) {
  Node node;
  node.kind = Node::Kind::map;
  node.entries = std::move(entries);
  node.place = place;
  return node;
}

std::string flow_text(const Node& node) {
  std::string text;
  switch (node.kind) {
    case Node::Kind::null:
      return {};
    case Node::Kind::scalar:
      return scalar_text(node);
    case Node::Kind::list:
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
      return "[" + text + "]";
    case Node::Kind::map:
      for (const Entry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
      return "{" + text + "}";
  }
  return text;
}

std::string entry_text(const std::string& key, const Node& value, int indent) {
  const std::string margin(indent, ' ');
  const std::string in_line = fmt::format("{}{}: {}", margin, key, flow_text(value));
  // A list of plain values stays in its line however long it is.
  const bool is_simple =
      value.entries.empty() &&
      std::all_of(value.items.begin(), value.items.end(), [](const Node& n) { return n.kind == Node::Kind::scalar; });
  if (in_line.size() <= line_width || is_simple) return in_line.substr(0, in_line.find_last_not_of(' ') + 1) + "\n";
  std::string text = fmt::format("{}{}:\n", margin, key);
  for (const Entry& entry : value.entries) text += entry_text(entry.key, entry.value, indent + 2);
  for (const Node& item : value.items) text += fmt::format("{}  - {}\n", margin, flow_text(item));
  return text;
}

}  // namespace lithe::io
