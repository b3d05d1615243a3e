#include "lithe/io/urdf_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lithe/io/source_files.hpp"

namespace lithe::io {
namespace {

/// A model file allows letters, digits, - and _ in names; URDF allows anything.
std::string fit_name(const std::string& name) {
  std::string fit = name;
  for (char& c : fit) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 0x80U && !std::isalnum(u) && c != '-' && c != '_') c = '-';
  }
  return fit;
}

/// Fills `names` for the elements of one kind and complains where two would be called the same.
template <class Elements>
void name_elements(const char* kind, const Elements& elements, const std::optional<Item>& renames, Reader& reader,
                   std::map<std::string, std::string>& names, std::vector<std::string>& notes) {
  std::map<std::string, std::string> wanted;
  const auto given = renames ? reader.map(*renames) : std::nullopt;
  for (const NamedItem& each : given.value_or(std::vector<NamedItem>{})) {
    const auto known = names_of(elements);
    if (std::find(known.begin(), known.end(), each.name) == known.end())
      reader.complain_key(each.item, fmt::format("the URDF has no {} '{}'{}", kind, each.name, hint(each.name, known)));
    const auto name = reader.text(each.item);
    if (!name) continue;
    if (const std::string fault = why_not_an_element_name(*name); !fault.empty()) reader.complain(each.item, fault);
    wanted[each.name] = *name;
  }
  std::map<std::string, std::string> taken;
  for (const auto& element : elements) {
    const auto asked = wanted.find(element.name);
    std::string name = asked != wanted.end() ? asked->second : fit_name(element.name);
    if (asked == wanted.end() && name != element.name)
      notes.push_back(
          fmt::format("{} '{}' is called '{}': names have letters, digits, - and _", kind, element.name, name));
    if (const auto [other, is_new] = taken.emplace(name, element.name); !is_new)
      reader.complaints().add(element.place, fmt::format("{} '{}'", kind, element.name),
                              fmt::format("would be called '{}', as is '{}'; give it another name with 'rename' in the "
                                          "side file",
                                          name, other->second));
    names[element.name] = std::move(name);
  }
}

}  // namespace

const Entry* SideFile::find(const std::string& key) const { return tree == nullptr ? nullptr : tree->find(key); }

const Entry* SideFile::find(const std::string& key, const std::string& name) const {
  const Entry* section = find(key);
  return section == nullptr || section->value.kind != Node::Kind::map ? nullptr : section->value.find(name);
}

SideFile read_side_file(const Node* tree, UrdfRobot& robot, Reader& reader, std::vector<std::string>& notes) {
  SideFile side;
  std::optional<Object> root;
  if (tree != nullptr) root = reader.object({tree, {tree->place.file, 1, 1}, {}, "side-file"}, "side-file");
  side.tree = root ? tree : nullptr;

  const auto rename = root ? root->get("rename") : std::nullopt;
  const auto renames = rename ? reader.object(*rename, "side-rename") : std::nullopt;
  name_elements("link", robot.links, renames ? renames->get("links") : std::nullopt, reader, side.link_names, notes);
  name_elements("joint", robot.joints, renames ? renames->get("joints") : std::nullopt, reader, side.joint_names,
                notes);
  for (UrdfLink& link : robot.links) link.name = side.link_names[link.name];
  for (UrdfJoint& joint : robot.joints) {
    if (robot.transmitted.erase(joint.name) > 0) robot.transmitted.insert(side.joint_names[joint.name]);
    joint.name = side.joint_names[joint.name];
    joint.parent = side.link_names[joint.parent];
    joint.child = side.link_names[joint.child];
    if (!joint.mimics.empty()) joint.mimics = side.joint_names[joint.mimics];
  }
  robot.root = side.link_names[robot.root];
  if (!root) return side;

  if (const auto item = root->get("base")) side.base_is_free = reader.word(*item) == "free";
  if (const auto item = root->get("mimic")) side.mimic = reader.word(*item).value_or("");
  if (const auto item = root->get("actuated")) {
    if (item->node->kind == Node::Kind::list) {
      side.actuated = "list";
      const std::vector<std::string> known = names_of(robot.joints);
      for (const Item& each : reader.list(*item).value_or(std::vector<Item>{})) {
        const auto name = reader.text(each);
        if (name && std::find(known.begin(), known.end(), *name) == known.end())
          reader.complain(each, fmt::format("the URDF has no joint '{}'{}", *name, hint(*name, known)));
        if (name) side.actuated_list[*name] = each.node;
      }
    } else {
      side.actuated = reader.word(*item).value_or("");
    }
  }
  return side;
}

void replace_aliases(Node& node, const std::map<std::string, FrameAlias>& aliases) {
  const auto replace = [&](Node& reference) {
    if (reference.kind != Node::Kind::scalar) return;
    const std::size_t slash = reference.text.find('/');
    const auto alias = aliases.find(reference.text.substr(0, slash));
    if (alias == aliases.end()) return;
    const std::string frame = slash == std::string::npos ? "origin" : reference.text.substr(slash + 1);
    const bool is_origin = frame == "origin";
    if (alias->second.frame.empty() || !is_origin)
      reference.text = alias->second.link + (is_origin ? "" : "/" + frame);
    else
      reference.text = alias->second.link + "/" + alias->second.frame;
  };
  for (Entry& entry : node.entries) {
    if (entry.key == "from" || entry.key == "to" || entry.key == "at") replace(entry.value);
    if (entry.key == "frames")
      for (Node& item : entry.value.items) replace(item);
    replace_aliases(entry.value, aliases);
  }
  for (Node& item : node.items) replace_aliases(item, aliases);
}

void relocate_files(Node& node, const std::string& folder) {
  namespace fs = std::filesystem;
  const auto relocate = [&](Node& name) {
    if (name.kind != Node::Kind::scalar || name.place.file == nullptr || fs::path(name.text).is_absolute()) return;
    const fs::path target = fs::absolute(beside(name.place, name.text)).lexically_normal();
    name.text = target.lexically_relative(fs::absolute(folder.empty() ? "." : folder).lexically_normal()).string();
  };
  for (Entry& entry : node.entries) {
    if (entry.key == "file") relocate(entry.value);
    if (entry.key == "matrices")
      for (Entry& each : entry.value.entries) relocate(each.value);
    relocate_files(entry.value, folder);
  }
  for (Node& item : node.items) relocate_files(item, folder);
}

}  // namespace lithe::io
