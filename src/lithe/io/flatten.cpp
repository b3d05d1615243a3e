#include "lithe/io/flatten.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

namespace fs = std::filesystem;

/// Matrices of a large part stay where they are: a result should not be larger than its numbers.
constexpr std::size_t most_attached = 16U << 20U;  // bytes, together

Entry* find_entry(Node& map, const std::string& key) {
  for (Entry& entry : map.entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

bool is_same_place(const Place& a, const Place& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Names of data files, which are relative to the file in which they stand, become relative to the model itself. True
/// when any changed.
bool rename_files(Node& node, const DataFiles& data, const fs::path& folder) {
  bool renamed = false;
  if (node.kind == Node::Kind::scalar) {
    for (const DataFiles::Reading& reading : data.readings()) {
      if (!is_same_place(reading.place, node.place) || reading.name != node.text) continue;
      if ((folder / node.text).lexically_normal() == fs::path(reading.path)) continue;
      std::error_code error;
      const fs::path relative = fs::proximate(reading.path, folder.empty() ? fs::path(".") : folder, error);
      node.text = (error ? fs::absolute(reading.path, error) : relative).string();
      return true;
    }
  }
  for (Node& item : node.items) renamed = rename_files(item, data, folder) || renamed;
  for (Entry& entry : node.entries) renamed = rename_files(entry.value, data, folder) || renamed;
  return renamed;
}

}  // namespace

void flatten(Node tree, const std::map<std::string, std::string>& parameters, const std::vector<std::string>& sources,
             const DataFiles& data, Model& model) {
  model.files = sources;
  std::size_t bytes = 0;
  for (const auto& [path, content] : data.contents()) {
    model.files.push_back(path);
    bytes += content.size();
  }
  if (bytes <= most_attached) {
    model.attached = data.contents();
  } else {
    model.remarks.notes.push_back(
        fmt::format("results do not carry the {} MB of data files of this model: reading the model back from a result "
                    "needs them in their place",
                    bytes >> 20U));
  }

  const bool moved = rename_files(tree, data, fs::path(model.path).parent_path());
  if (sources.size() <= 1 && parameters.empty() && model.replaced.empty() && !moved) {
    model.flattened = model.text;
    return;
  }
  std::erase_if(tree.entries, [](const Entry& entry) { return entry.key == "include"; });
  if (Entry* declared = find_entry(tree, "parameters")) {
    for (const auto& [name, text] : parameters)
      if (Entry* parameter = find_entry(declared->value, name))
        parameter->value = scalar_node(text, parameter->value.place);
  }
  model.flattened = "# Included files and replaced values are put in.\n";
  for (const Entry& entry : tree.entries) model.flattened += entry_text(entry.key, entry.value, 0);
}

}  // namespace lithe::io
