#pragma once
// A YAML document as a plain tree in which every key and value knows its place.
//
// Differences from a YAML::Node: duplicate keys are complaints, anchors and merge keys (<<) are resolved, quoted
// scalars are told apart, depth and size are bounded (aliases cannot blow up), and there are no cycles.

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/diagnostics.hpp"

namespace lithe::io {

struct Entry;
struct Scope;

struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  Place place;
  std::string text;              ///< scalar
  bool quoted = false;           ///< scalar in quotes, or a block of text
  const Scope* scope = nullptr;  ///< of the parameters in its expressions; nothing: those of the model
  bool is_rewritten = false;     ///< scalar whose text is not the one of the file: columns inside it mean nothing
  std::vector<Node> items;       ///< list
  std::vector<Entry> entries;    ///< map, in the order of the file

  const Entry* find(const std::string& key) const;
};

struct Entry {
  std::string key;
  Place place;  ///< of the key
  Node value;
};

/// "a map", "a list", "the text 'abc'", "empty": what stands there, for messages.
std::string describe(const Node& node);

/// Parses `text`; complaints carry `file`. Nothing when the text is not YAML; that has been complained about.
std::optional<Node> parse_yaml(const std::string& text, const std::string& file, Complaints& complaints);

}  // namespace lithe::io
