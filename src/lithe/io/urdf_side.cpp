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

/// A link or joint that gets a name.
struct Unnamed {
  const char* kind;
  std::string name;
  Place place;
  bool may_be_ground = false;
};

/// Fills `names` for the elements of one kind and complains where two would be called the same.
void name_elements(const char* kind, const std::vector<Unnamed>& elements, const std::optional<Item>& renames,
                   const std::string& format, Reader& reader, std::map<std::string, std::string>& names,
                   std::vector<std::string>& notes) {
  std::map<std::string, std::string> wanted;
  const auto given = renames ? reader.map(*renames) : std::nullopt;
  const std::vector<std::string> known = names_of(elements);
  for (const NamedItem& each : given.value_or(std::vector<NamedItem>{})) {
    if (std::find(known.begin(), known.end(), each.name) == known.end())
      reader.complain_key(each.item,
                          fmt::format("the {} has no {} '{}'{}", format, kind, each.name, hint(each.name, known)));
    const auto name = reader.text(each.item);
    if (!name) continue;
    if (const std::string fault = why_not_an_element_name(*name); !fault.empty()) reader.complain(each.item, fault);
    wanted[each.name] = *name;
  }
  std::map<std::string, const Unnamed*> taken;
  for (const Unnamed& element : elements) {
    const auto asked = wanted.find(element.name);
    std::string name = asked != wanted.end() ? asked->second : fit_name(element.name);
    const auto say = [&](const char* why) {
      notes.push_back(fmt::format("{} line {}: {} '{}' is called '{}': {}", format, element.place.line, element.kind,
                                  element.name, name, why));
    };
    if (asked == wanted.end() && name != element.name) say("names have letters, digits, - and _");
    if (name == "ground" && std::string(kind) == "link" && !element.may_be_ground) {
      name = "ground-link";
      say("the name belongs to the ground of the model");
    }
    if (const auto [other, is_new] = taken.emplace(name, &element); !is_new)
      reader.complaints().add(element.place, fmt::format("{} '{}'", element.kind, element.name),
                              fmt::format("would be called '{}', as is '{}'; give it another name with 'rename' in the "
                                          "side file",
                                          name, other->second->name));
    names[element.name] = std::move(name);
  }
}

/// Names of the model for everything in the robot.
void name_robot(const std::optional<Object>& root, UrdfRobot& robot, SideFile& side, Reader& reader,
                std::vector<std::string>& notes) {
  const auto rename = root ? root->get("rename") : std::nullopt;
  const auto renames = rename ? reader.object(*rename, "side-rename") : std::nullopt;
  std::vector<Unnamed> links, joints;
  for (const UrdfLink& link : robot.links)
    links.push_back({"link", link.name, link.place, link.name == robot.root && !side.base_is_free});
  for (const UrdfJoint& joint : robot.joints) joints.push_back({"joint", joint.name, joint.place});
  for (const UrdfLoop& loop : robot.loops) joints.push_back({"loop", loop.name, loop.place});
  name_elements("link", links, renames ? renames->get("links") : std::nullopt, robot.format, reader, side.link_names,
                notes);
  name_elements("joint", joints, renames ? renames->get("joints") : std::nullopt, robot.format, reader,
                side.joint_names, notes);
  for (UrdfLink& link : robot.links) link.name = side.link_names[link.name];
  std::set<std::string> transmitted;
  for (const std::string& joint : robot.transmitted) transmitted.insert(side.joint_names[joint]);
  robot.transmitted = std::move(transmitted);
  for (UrdfJoint& joint : robot.joints) {
    joint.name = side.joint_names[joint.name];
    joint.parent = side.link_names[joint.parent];
    joint.child = side.link_names[joint.child];
    if (!joint.mimics.empty()) joint.mimics = side.joint_names[joint.mimics];
  }
  for (UrdfTie& tie : robot.ties) {
    tie.joint = side.joint_names[tie.joint];
    if (!tie.of.empty()) tie.of = side.joint_names[tie.of];
  }
  for (UrdfRatio& ratio : robot.ratios)
    for (std::string* link : {&ratio.predecessor, &ratio.successor}) *link = side.link_names[*link];
  for (UrdfLoop& loop : robot.loops) {
    loop.name = side.joint_names[loop.name];
    for (UrdfLoop::End& end : loop.ends) end.link = side.link_names[end.link];
  }
  robot.root = side.link_names[robot.root];
}

}  // namespace

const Entry* SideFile::find(const std::string& key) const { return tree == nullptr ? nullptr : tree->find(key); }

const Entry* SideFile::find(const std::string& key, const std::string& name) const {
  const Entry* section = find(key);
  return section == nullptr || section->value.kind != Node::Kind::map ? nullptr : section->value.find(name);
}

SideFile read_side_file(const Node* tree, UrdfRobot& robot, const UrdfOptions& options, Reader& reader,
                        std::vector<std::string>& notes) {
  SideFile side;
  std::optional<Object> root;
  if (tree != nullptr) root = reader.object({tree, {tree->place.file, 1, 1}, {}, "side-file"}, "side-file");
  side.tree = root ? tree : nullptr;
  const auto word_of = [&](const char* key) {
    const auto item = root ? root->get(key) : std::nullopt;
    return item ? reader.word(*item).value_or("") : std::string();
  };
  side.base_is_free = word_of("base") == "free";
  side.mimic = word_of("mimic");
  const Entry* couplings = side.find("couplings");
  const bool says_what = couplings != nullptr && couplings->value.kind != Node::Kind::map;
  side.ignores_couplings = options.ignore_couplings || (says_what && word_of("couplings") == "ignore");
  const std::string inertia = word_of("inertia");
  side.inertia = options.inertia.value_or(inertia == "repair"   ? ImpossibleInertia::repair
                                          : inertia == "accept" ? ImpossibleInertia::accept
                                                                : ImpossibleInertia::refuse);
  if (side.mimic.empty() && side.ignores_couplings) side.mimic = "free";
  name_robot(root, robot, side, reader, notes);
  if (!root) return side;

  if (const auto item = root->get("actuated")) {
    if (item->node->kind == Node::Kind::list) {
      side.actuated = "list";
      const std::vector<std::string> known = names_of(robot.joints);
      for (const Item& each : reader.list(*item).value_or(std::vector<Item>{})) {
        const auto name = reader.text(each);
        if (name && std::find(known.begin(), known.end(), *name) == known.end())
          reader.complain(each, fmt::format("the {} has no joint '{}'{}", robot.format, *name, hint(*name, known)));
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
