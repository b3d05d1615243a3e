#include "lithe/io/key_overrides.hpp"

#include <fmt/format.h>

namespace lithe::io {

namespace {

const std::string option = "--set";

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

}  // namespace lithe::io
