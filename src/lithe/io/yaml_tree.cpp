#include "lithe/io/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>

namespace lithe::io {

namespace {

constexpr int deepest = 48;              // no part of a model needs more than a dozen levels
constexpr std::size_t largest = 300000;  // nodes, aliases expanded

/// Ends the parsing; the message has been noted.
struct Abandoned {};

struct Extent {
  std::size_t nodes = 1;
  int depth = 1;
};

Extent extent_of(const Node& node) {
  Extent extent;
  const auto include = [&](const Node& child) {
    const Extent inner = extent_of(child);
    extent.nodes += inner.nodes;
    extent.depth = std::max(extent.depth, inner.depth + 1);
  };
  for (const Node& item : node.items) include(item);
  for (const Entry& entry : node.entries) include(entry.value);
  return extent;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, Complaints& complaints) : file_(file), complaints_(complaints) {}

  Node root;

  Place place(const YAML::Mark& mark) const {
    return mark.is_null() ? Place{&file_, 0, 0} : Place{&file_, mark.line + 1, mark.column + 1};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.place = place(mark);
    finish(std::move(node), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = Node::Kind::scalar;
    node.place = place(mark);
    node.text = value;
    node.quoted = tag == "!";
    check_tag(mark, tag);
    finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    start(Node::Kind::list, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    start(Node::Kind::map, mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) {
      complaints_.add(place(mark), path(), "this alias refers to the very part that contains it");
      throw Abandoned{};
    }
    const Extent extent = extent_of(found->second);
    count(mark, extent.nodes, static_cast<int>(open_.size()) + extent.depth);
    finish(found->second, 0);
  }

 private:
  /// A list or map that is being read.
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;  // a map whose next event is a value
    bool ignore = false;   // that value belongs to a key that was complained about
    std::string key;
    Place key_place;
    std::unordered_map<std::string, std::size_t> seen;  // keys of the map so far and their entries
    std::vector<Node> merged;                           // maps given with <<
  };

  std::string path() const {
    std::string text;
    for (const Open& open : open_) {
      if (open.node.kind == Node::Kind::list)
        text += fmt::format("[{}]", open.node.items.size());
      else if (open.has_key)
        text += (text.empty() ? "" : ".") + open.key;
    }
    return text;
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    constexpr std::string_view standard = "tag:yaml.org,2002:";
    const std::string shown = tag.starts_with(standard) ? "!!" + tag.substr(standard.size()) : tag;
    complaints_.add(place(mark), path(), fmt::format("the tag {} has no meaning in a model file; leave it out", shown));
  }

  void count(const YAML::Mark& mark, std::size_t nodes, int depth) {
    nodes_ += nodes;
    if (depth <= deepest && nodes_ <= largest) return;
    complaints_.add(place(mark), {},
                    depth > deepest ? fmt::format("nested more than {} levels deep", deepest)
                                    : fmt::format("the file has more than {} values", largest));
    throw Abandoned{};
  }

  void start(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    count(mark, 0, static_cast<int>(open_.size()) + 1);
    check_tag(mark, tag);
    Open& open = open_.emplace_back();
    open.node.kind = kind;
    open.node.place = place(mark);
    open.anchor = anchor;
  }

  void end() {
    Open open = std::move(open_.back());
    open_.pop_back();
    // Own keys win over merged ones, and earlier merged maps over later ones.
    for (const Node& source : open.merged)
      for (const Entry& entry : source.entries)
        if (open.seen.emplace(entry.key, 0).second) open.node.entries.push_back(entry);
    finish(std::move(open.node), open.anchor);
  }

  /// A complete value: keep it under its anchor and hand it to what contains it.
  void finish(Node node, YAML::anchor_t anchor) {
    if (++nodes_ > largest) {
      complaints_.add(node.place, {}, fmt::format("the file has more than {} values", largest));
      throw Abandoned{};
    }
    if (anchor != 0) anchored_[anchor] = node;
    if (open_.empty())
      root = std::move(node);
    else if (open_.back().node.kind == Node::Kind::list)
      open_.back().node.items.push_back(std::move(node));
    else if (open_.back().has_key)
      add_value(open_.back(), std::move(node));
    else
      add_key(open_.back(), node);
  }

  void add_key(Open& open, const Node& key) {
    const std::string where = path();
    open.has_key = true;
    open.key = key.text;
    open.key_place = key.place;
    open.ignore = false;
    if (key.kind != Node::Kind::scalar) {
      complaints_.add(key.place, where, fmt::format("a key must be a word, but this is {}", describe(key)));
      open.ignore = true;
    } else if (key.text != "<<" || key.quoted) {
      const auto [first, is_new] = open.seen.emplace(key.text, open.node.entries.size());
      if (is_new) return;
      complaints_.add(key.place, path(),
                      fmt::format("the key '{}' stands here twice; it was given in line {} already", key.text,
                                  open.node.entries[first->second].place.line));
      open.ignore = true;
    }
  }

  void add_value(Open& open, Node node) {
    if (open.ignore) {
      open.has_key = false;
      return;
    }
    if (open.key == "<<" && !open.seen.contains("<<"))
      add_merged(open, std::move(node));
    else
      open.node.entries.push_back({open.key, open.key_place, std::move(node)});
    open.has_key = false;
  }

  void add_merged(Open& open, Node node) {
    std::vector<Node> sources;
    if (node.kind == Node::Kind::list)
      sources = std::move(node.items);
    else
      sources.push_back(std::move(node));
    for (Node& source : sources) {
      if (source.kind == Node::Kind::map)
        open.merged.push_back(std::move(source));
      else
        complaints_.add(source.place, path(), fmt::format("<< merges maps, but this is {}", describe(source)));
    }
  }

  const std::string& file_;
  Complaints& complaints_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchored_;
  std::size_t nodes_ = 0;
};

/// The parser's terse messages in words that say what to do.
std::string explained(const std::string& message) {
  static const std::map<std::string, std::string> explanations{
      {"end of map not found", "the indentation does not fit the lines above"},
      {"end of sequence not found", "the indentation does not fit the list above"},
      {"end of map flow not found", "a '{' before this place is not closed, or a ',' is missing"},
      {"end of sequence flow not found", "a '[' before this place is not closed, or a ',' is missing"},
      {"illegal map value",
       "no ':' is allowed here; check the indentation (spaces, no tabs), or put the text in quotes"},
      {"illegal tab when looking for indentation", "a tab; indent with spaces"},
      {"the referenced anchor is not defined", "this alias (*) refers to no anchor (&)"}};
  const auto found = explanations.find(message);
  return found == explanations.end() ? message : found->second;
}

}  // namespace

const Entry* Node::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string describe(const Node& node) {
  constexpr std::size_t longest = 40;
  switch (node.kind) {
    case Node::Kind::null:
      return "empty";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
    case Node::Kind::scalar:
      break;
  }
  const std::string line = node.text.substr(0, node.text.find('\n'));
  if (line.size() <= longest && line.size() == node.text.size()) return fmt::format("'{}'", line);
  // Shorten, but not in the middle of a UTF-8 character.
  std::size_t end = std::min(line.size(), longest);
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}...'", line.substr(0, end));
}

std::optional<Node> parse_yaml(const std::string& text, const std::string& file, Complaints& complaints) {
  TreeBuilder builder(file, complaints);
  std::istringstream stream(text);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    Node root = std::move(builder.root);
    root.place.file = &file;
    if (parser.HandleNextDocument(builder))
      complaints.add(builder.root.place, {}, "a second document starts here; a model file holds one");
    return root;
  } catch (const YAML::Exception& error) {
    complaints.add(builder.place(error.mark), {}, "this is not valid YAML: " + explained(error.msg));
    return std::nullopt;
  } catch (const Abandoned&) {
    return std::nullopt;
  }
}

}  // namespace lithe::io
