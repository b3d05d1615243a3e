#include "lithe/io/move_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lithe/io/yaml_tree.hpp"
#include "lithe/io/yaml_writer.hpp"

namespace lithe {
namespace {

using io::Entry;
using io::Node;

/// Sections whose entries are put together with those of an included file; the others are replaced as a whole.
constexpr const char* merged_sections[] = {"materials", "links",    "ground",      "joints", "couplings", "springs",
                                           "ropes",     "bushings", "contacts",    "loads",  "initial",   "speeds",
                                           "drives",    "sensors",  "controllers", "run"};

class MoveText {
 public:
  MoveText(const Model& model, const std::map<std::string, std::string>& set) : model_(model), set_(set) {
    io::Complaints complaints;
    tree_ = io::parse_yaml(model.flattened, model.path, complaints).value_or(Node{});
  }

  std::string text(const MoveSearch& search, const std::vector<double>& values, const std::string& folder) {
    const std::filesystem::path here = folder.empty() ? "." : folder;
    add({"lithe", {}, io::scalar_node("1", {})});
    add({"name", {}, word(model_.name + ", fastest move")});
    add({"include", {}, word(std::filesystem::proximate(model_.path, here).string())});
    add_replaced();
    const Model moving = search.model(values, values[0] / 100);
    for (const MoveLaw& law : search.laws(values)) put("drives", law.joint, drive(law));
    if (!model_.start_at_equilibrium) put("initial", "equilibrium", io::scalar_node("true", {}));
    put("run", "until", number(moving.run.until));
    put("run", "every", number(moving.run.every));
    for (const auto& [key, field] : {std::pair{"tolerance", &RunOptions::tolerance},
                                     std::pair{"rtol", &RunOptions::rtol}, std::pair{"atol", &RunOptions::atol}})
      if (moving.run.*field != model_.run.*field) put("run", key, number(moving.run.*field));
    std::string all = fmt::format("# The fastest move found by lithe optimize: {:.6g} s, then {:.4g} s at rest.\n",
                                  values[0], search.problem().watch);
    for (const Entry& entry : sections_) all += io::entry_text(entry.key, entry.value, 0);
    return all;
  }

 private:
  static Node number(double value) { return io::scalar_node(fmt::format("{:.17g}", value), {}); }
  static Node word(const std::string& text) {
    Node node = io::scalar_node(text, {});
    node.quoted = true;
    return node;
  }
  void add(Entry entry) { sections_.push_back(std::move(entry)); }

  Node& section(const std::string& name) {
    for (Entry& entry : sections_)
      if (entry.key == name) return entry.value;
    add({name, {}, io::map_node({}, {})});
    return sections_.back().value;
  }
  void put(const std::string& in, const std::string& key, Node value) {
    Node& map = section(in);
    std::erase_if(map.entries, [&](const Entry& entry) { return entry.key == key; });
    map.entries.push_back({key, {}, std::move(value)});
  }

  static bool names_a_file(const Node& node) {
    const auto is_file = [](const Entry& entry) { return entry.key == "file" || names_a_file(entry.value); };
    return std::any_of(node.entries.begin(), node.entries.end(), is_file) ||
           std::any_of(node.items.begin(), node.items.end(), names_a_file);
  }
  /// An entry of the model, as it is there after values were replaced. Names of files would mean another folder.
  Node own_entry(const std::string& in, const std::string& key) const {
    const Entry* list = tree_.find(in);
    const Entry* entry = list != nullptr ? list->value.find(key) : nullptr;
    if (entry == nullptr) return io::map_node({}, {});
    if (names_a_file(entry->value))
      throw MechanismError("set", fmt::format("'{}.{}' of the model names a file, and cannot be written anew; make the "
                                              "change in the model itself",
                                              in, key));
    return entry->value;
  }

  /// What --set and `set` of the study replaced.
  void add_replaced() {
    for (const auto& [name, value] : set_)
      if (!model_.replaced.contains(name)) put("parameters", name, io::scalar_node(value, {}));
    for (const auto& [path, value] : model_.replaced) {
      const std::size_t dot = path.find('.'), next = path.find('.', dot + 1);
      const std::string in = path.substr(0, dot);
      const bool is_merged = std::any_of(std::begin(merged_sections), std::end(merged_sections),
                                         [&](const char* each) { return in == each; });
      if (path.find('*') != std::string::npos || (dot != std::string::npos && !is_merged))
        throw MechanismError("set", fmt::format("'{}' cannot be written into a file that includes the model; make the "
                                                "change in the model itself",
                                                path));
      if (dot == std::string::npos)
        add({path, {}, io::scalar_node(value, {})});
      else
        put(in, path.substr(dot + 1, next - dot - 1), own_entry(in, path.substr(dot + 1, next - dot - 1)));
    }
  }

  Node drive(const MoveLaw& law) const {
    Node drive = own_entry("drives", law.joint);
    std::erase_if(drive.entries, [](const Entry& entry) { return entry.key == "follow" || entry.key == "shape"; });
    std::vector<Node> t, y;
    for (const double time : law.t) t.push_back(number(time));
    for (const double place : law.y) y.push_back(number(place));
    Node table = io::map_node({{"t", {}, io::list_node(std::move(t), {})},
                               {"y", {}, io::list_node(std::move(y), {})},
                               {"interpolation", {}, io::scalar_node("cubic", {})}},
                              {});
    drive.entries.insert(drive.entries.begin(), {"follow", {}, io::map_node({{"table", {}, std::move(table)}}, {})});
    return drive;
  }

  const Model& model_;
  const std::map<std::string, std::string>& set_;
  Node tree_;
  std::vector<Entry> sections_;
};

}  // namespace

std::string move_model_text(const Model& model, const std::map<std::string, std::string>& set, const MoveSearch& search,
                            const std::vector<double>& values, const std::string& folder) {
  return MoveText(model, set).text(search, values, folder);
}

}  // namespace lithe
