#include "lithe/io/key_overrides.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lithe::io {

namespace {

const std::string option = "--set";
const std::string shape_option = "--shape";

std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> steps;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    steps.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  steps.push_back(path.substr(begin));
  return steps;
}

/// Number of scalars below `node` that the steps reach; each gets the text.
int replace(Node& node, const std::vector<std::string>& steps, std::size_t depth, const std::string& text) {
  if (depth == steps.size()) {
    if (node.kind != Node::Kind::scalar) return 0;
    node.text = text;
    node.quoted = false;
    node.place = {&option, 0, 0};
    return 1;
  }
  int replaced = 0;
  for (Entry& entry : node.entries)
    if (steps[depth] == "*" || steps[depth] == entry.key) replaced += replace(entry.value, steps, depth + 1, text);
  return replaced;
}

bool is_parameter(const Node& tree, const std::string& name) {
  const Entry* parameters = tree.find("parameters");
  return parameters != nullptr && parameters->value.find(name) != nullptr;
}

Node scalar_of_option(const std::string& text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.place = {&shape_option, 0, 0};
  node.text = text;
  return node;
}

/// "zvd", "zvd:3" as {kind: zvd, modes: 3}, "zvd=4,9" as {kind: zvd, frequency: [4, 9]}.
Node shape_node(const std::string& text) {
  const std::size_t end = text.find_first_of(":=");
  if (end == std::string::npos) return scalar_of_option(text);
  const Place place{&shape_option, 0, 0};
  Node shape;
  shape.kind = Node::Kind::map;
  shape.place = place;
  shape.entries.push_back({"kind", place, scalar_of_option(text.substr(0, end))});
  if (text[end] == ':') {
    shape.entries.push_back({"modes", place, scalar_of_option(text.substr(end + 1))});
    return shape;
  }
  Node list;
  list.kind = Node::Kind::list;
  list.place = place;
  for (std::size_t begin = end + 1; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    list.items.push_back(scalar_of_option(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  shape.entries.push_back({"frequency", place, std::move(list)});
  return shape;
}

}  // namespace

std::map<std::string, std::string> take_key_overrides(const Node& tree, std::map<std::string, std::string>& overrides) {
  std::map<std::string, std::string> taken;
  for (auto entry = overrides.begin(); entry != overrides.end();) {
    const std::string& name = entry->first;
    const bool has_dots = name.find('.') != std::string::npos;
    if (is_parameter(tree, name) || (!has_dots && tree.find(name) == nullptr)) {
      ++entry;
      continue;
    }
    taken.insert(*entry);
    entry = overrides.erase(entry);
  }
  return taken;
}

void replace_keys(Node& tree, const std::map<std::string, std::string>& replaced, OverrideStage stage,
                  Complaints& complaints) {
  for (const auto& [name, text] : replaced) {
    const std::vector<std::string> steps = steps_of(name);
    const bool is_early = steps[0] == "parameters" || steps[0] == "parts";
    if (is_early != (stage == OverrideStage::before_expansion)) continue;
    if (replace(tree, steps, 0, text) == 0)
      complaints.add({&option, 0, 0}, name,
                     "the model has no single value at this path; write the key into the file first");
  }
}

void shape_all_drives(Node& tree, const std::string& shape) {
  const Node node = shape_node(shape);
  for (Entry& section : tree.entries) {
    if (section.key != "drives") continue;
    for (Entry& drive : section.value.entries) {
      if (drive.value.find("follow") == nullptr && drive.value.find("path") == nullptr) continue;
      std::erase_if(drive.value.entries, [](const Entry& entry) { return entry.key == "shape"; });
      drive.value.entries.push_back({"shape", {&shape_option, 0, 0}, node});
    }
  }
}

}  // namespace lithe::io
