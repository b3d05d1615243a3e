// From a URDF and its side file to a model file. The model is made as a tree whose nodes know where they came from, so
// that the reader of model files checks it and its complaints name the place in the URDF or in the side file.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/io/urdf_nodes.hpp"
#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/urdf_side.hpp"
#include "lithe/io/yaml_writer.hpp"

namespace lithe {
namespace io {
namespace {

/// A section of the model file, each entry with the comment above it.
struct OutputEntry {
  Entry entry;
  std::string comment;
};
using OutputSection = std::vector<OutputEntry>;

const std::vector<std::string> joint_types{"revolute",  "prismatic", "cylindrical", "universal",
                                           "spherical", "planar",    "fixed",       "free"};

bool is_body_key(const std::string& key) {
  return key != "frames" && key != "modes" && key != "damping" && key != "stiffening";
}

bool has_body(const Node& link) {
  return std::any_of(link.entries.begin(), link.entries.end(), [](const Entry& e) { return is_body_key(e.key); });
}

/// The elastic kind of a link in the side file, or nothing.
const ElasticKind* kind_of(const Node& link) {
  for (const ElasticKind& kind : elastic_kinds())
    if (link.find(kind.key) != nullptr) return &kind;
  return nullptr;
}

class Conversion {
 public:
  Conversion(UrdfRobot robot, SideFile side, Reader& reader, std::vector<std::string> notes)
      : robot_(std::move(robot)), side_(std::move(side)), reader_(reader), notes_(std::move(notes)) {}

  void run() {
    place_links();
    add_links();
    add_joints();
    check_side_names();
    assemble();
  }

  const Node& tree() const { return tree_; }
  std::string text(const std::string& urdf, const std::string& side, const std::string& folder) const;
  const std::vector<std::string>& notes() const { return notes_; }
  int links() const { return static_cast<int>(links_.size()); }
  int joints() const { return static_cast<int>(joints_.size()); }

 private:
  /// Where a link of the URDF has gone: itself, the ground, or, fixed and without mass, a frame of another link.
  struct Home {
    std::string link;
    Pose pose;
    bool is_itself = true;
  };

  const UrdfJoint* parent_joint(const std::string& link) const {
    for (const UrdfJoint& joint : robot_.joints)
      if (joint.child == link) return &joint;
    return nullptr;
  }

  void place_links() {
    // Parents before children: the depth of a tree is at most its size.
    std::vector<const UrdfLink*> waiting;
    for (const UrdfLink& link : robot_.links) waiting.push_back(&link);
    while (!waiting.empty()) {
      std::vector<const UrdfLink*> later;
      for (const UrdfLink* link : waiting) {
        const UrdfJoint* joint = parent_joint(link->name);
        if (joint != nullptr && !homes_.contains(joint->parent))
          later.push_back(link);
        else
          place_link(*link, joint);
      }
      waiting = std::move(later);
    }
  }

  void place_link(const UrdfLink& link, const UrdfJoint* joint) {
    if (joint == nullptr && !side_.base_is_free) {
      homes_[link.name] = {"ground", Pose{}, false};
      aliases_[link.name] = {"ground", {}};
      return;
    }
    const bool is_bare = link.mass == 0.0 && link.inertia.isZero(0.0) && side_.find("links", link.name) == nullptr;
    const bool is_changed = joint != nullptr && side_.find("joints", joint->name) != nullptr;
    if (joint != nullptr && joint->type == UrdfJoint::Type::fixed && is_bare && !is_changed) {
      const Home& parent = homes_.at(joint->parent);
      homes_[link.name] = {parent.link, parent.pose * joint_pose(*joint), false};
      aliases_[link.name] = {parent.link, link.name};
      merged_joints_[joint->name] = link.name;
      return;
    }
    homes_[link.name] = {link.name, Pose{}, true};
  }

  /// The frame at a joint has its name, where the link does not have a frame of that name by itself.
  static std::string frame_name(const std::string& joint) {
    return joint == "origin" || joint == "root" || joint == "tip" ? joint + "-joint" : joint;
  }

  /// Frames of everything that hangs on a link of the model.
  std::vector<Entry> frames_of(const std::string& home) const {
    std::vector<Entry> frames;
    for (const UrdfJoint& joint : robot_.joints) {
      const Home& parent = homes_.at(joint.parent);
      if (parent.link != home) continue;
      const bool is_merged = merged_joints_.contains(joint.name);
      const std::string name = is_merged ? merged_joints_.at(joint.name) : joint.name;
      // A joint at the very origin of its link needs no frame.
      if (!is_merged && sits_at_origin(joint)) continue;
      frames.push_back({frame_name(name), joint.place, frame_node(joint, parent.pose)});
    }
    return frames;
  }

  bool sits_at_origin(const UrdfJoint& joint) const {
    const Pose pose = homes_.at(joint.parent).pose * joint_pose(joint);
    return pose.position.isZero(0.0) && pose.rotation.isIdentity(0.0);
  }

  /// Entries of `more` replace those of the same name.
  static void add_entries(std::vector<Entry>& entries, const Node& more) {
    for (const Entry& entry : more.entries) {
      const auto old = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == entry.key; });
      if (old != entries.end())
        *old = entry;
      else
        entries.push_back(entry);
    }
  }

  /// Frames of such a link follow its nodes: only the side file can say which ones carry a joint of the URDF.
  void require_frames(const std::string& link, const Entry& change, const ElasticKind& kind) {
    const Entry* given = change.value.find("frames");
    for (const Entry& frame : frames_of(link)) {
      if ((given != nullptr && given->value.find(frame.key) != nullptr) || kind.key == "imported") continue;
      reader_.complaints().add(
          change.place, "links." + link,
          fmt::format("'{}' of the URDF sits at {}; say what of the {} carries it: frames: {{{}: ...}}", frame.key,
                      flow_text(frame.value), kind.key, frame.key));
    }
  }

  void add_links() {
    for (const UrdfLink& link : robot_.links) {
      if (!homes_.at(link.name).is_itself) continue;
      const Entry* change = side_.find("links", link.name);
      const bool replaced = change != nullptr && has_body(change->value);
      const ElasticKind* kind = change == nullptr ? nullptr : kind_of(change->value);
      std::vector<Entry> entries, frames;
      const bool takes_points = kind == nullptr || kind->frame_type.find("point") != std::string::npos;
      if (takes_points)
        frames = frames_of(link.name);
      else
        require_frames(link.name, *change, *kind);
      if (!replaced) entries.push_back({"rigid", link.place, rigid_node(link)});
      if (change != nullptr) {
        for (const Entry& entry : change->value.entries)
          if (entry.key != "frames") entries.push_back(entry);
        if (const Entry* more = change->value.find("frames")) add_entries(frames, more->value);
      }
      if (!frames.empty()) entries.push_back({"frames", link.place, map_node(std::move(frames), link.place)});
      if (!replaced && !link.has_inertial)
        notes_.push_back(fmt::format("link '{}' has no <inertial>: its mass is zero", link.name));
      links_.push_back(
          {{link.name, change == nullptr ? link.place : change->place, map_node(std::move(entries), link.place)},
           replaced ? fmt::format("URDF line {}; body from the side file, line {}", link.place.line, change->place.line)
                    : fmt::format("URDF line {}", link.place.line)});
    }
  }

  bool is_actuated(const UrdfJoint& joint) const {
    const bool turns_or_slides = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::continuous ||
                                 joint.type == UrdfJoint::Type::prismatic;
    if (side_.actuated == "list") return side_.actuated_list.contains(joint.name);
    if (side_.actuated == "none" || !turns_or_slides || !joint.mimics.empty()) return false;
    if (side_.actuated == "all" || !robot_.has_transmissions) return true;
    return robot_.transmitted.contains(joint.name);
  }

  void add_joints() {
    if (side_.base_is_free) {
      std::string name = "base";
      while (side_.joint_names.end() != std::find_if(side_.joint_names.begin(), side_.joint_names.end(),
                                                     [&](const auto& each) { return each.second == name; }))
        name += "-motion";
      const Place& place = robot_.place;
      joints_.push_back({{name, place,
                          map_node({{"free", place, scalar_node("true", place)},
                                    {"from", place, scalar_node("ground", place)},
                                    {"to", place, scalar_node(robot_.root, place)}},
                                   place)},
                         "the base moves freely (side file)"});
    }
    for (const UrdfJoint& joint : robot_.joints)
      if (!merged_joints_.contains(joint.name)) add_joint(joint);
  }

  void add_joint(const UrdfJoint& joint) {
    const Place& place = joint.place;
    if (!joint.mimics.empty() && side_.mimic.empty())
      reader_.complaints().add(place, fmt::format("joint '{}'", joint.name),
                               fmt::format("mimics joint '{}', but there are no couplings of joints; in the side file, "
                                           "'mimic: free' lets it move by itself, 'mimic: fixed' holds it at zero",
                                           joint.mimics));
    const bool is_held = !joint.mimics.empty() && side_.mimic == "fixed";
    if (!joint.mimics.empty())
      notes_.push_back(fmt::format("joint '{}' mimics '{}': it {}", joint.name, joint.mimics,
                                   is_held ? "is held at zero" : "moves by itself"));
    const std::string parent = homes_.at(joint.parent).link;
    const std::string from = sits_at_origin(joint) ? parent : parent + "/" + frame_name(joint.name);
    std::vector<Entry> entries{type_entry(joint, is_held),
                               {"from", place, scalar_node(from, place)},
                               {"to", place, scalar_node(joint.child, place)}};
    const bool moves = !is_held && joint.type != UrdfJoint::Type::fixed;
    if (moves && is_actuated(joint)) entries.push_back({"actuated", place, scalar_node("true", place)});
    if (moves && joint.damping > 0.0) entries.push_back({"damping", place, number_node(joint.damping, place)});
    if (joint.friction > 0.0)
      notes_.push_back(fmt::format("joint '{}': Coulomb friction of {} is left out; joints have viscous damping only",
                                   joint.name, joint.friction));
    if (joint.has_controller)
      notes_.push_back(fmt::format("joint '{}': safety_controller and calibration are left out", joint.name));
    std::string comment = joint_comment(joint);
    if (const Entry* change = side_.find("joints", joint.name)) {
      const bool has_type = std::any_of(joint_types.begin(), joint_types.end(),
                                        [&](const std::string& type) { return change->value.find(type) != nullptr; });
      if (has_type) entries.erase(entries.begin());
      add_entries(entries, change->value);
      comment += fmt::format("; changed by the side file, line {}", change->place.line);
    }
    joints_.push_back({{joint.name, place, map_node(std::move(entries), place)}, comment});
  }

  /// Entries of the side file that are not in the URDF: a joint may be new, a link may not.
  void check_side_names() {
    const auto entries = [&](const char* key) {
      const Entry* section = side_.find(key);
      return section == nullptr ? std::vector<Entry>{} : section->value.entries;
    };
    const std::vector<std::string> link_names = names_of(robot_.links), joint_names = names_of(robot_.joints);
    for (const Entry& entry : entries("links")) {
      if (std::find(link_names.begin(), link_names.end(), entry.key) == link_names.end())
        reader_.complaints().add(entry.place, "links." + entry.key,
                                 fmt::format("the URDF has no link '{}'{}", entry.key, hint(entry.key, link_names)));
      else if (!homes_.at(entry.key).is_itself && entry.key == robot_.root)
        reader_.complaints().add(
            entry.place, "links." + entry.key,
            "this is the base, which stands on the ground; add frames with 'ground', or write 'base: "
            "free'");
    }
    for (const Entry& entry : entries("joints")) {
      if (std::find(joint_names.begin(), joint_names.end(), entry.key) != joint_names.end()) continue;
      if (entry.value.find("from") == nullptr && entry.value.find("to") == nullptr)
        reader_.complaints().add(entry.place, "joints." + entry.key,
                                 fmt::format("the URDF has no joint '{}'{}; a new joint needs a type, from and to",
                                             entry.key, hint(entry.key, joint_names)));
      else
        joints_.push_back({entry, fmt::format("side file, line {}", entry.place.line)});
    }
  }

  void assemble();

  UrdfRobot robot_;
  SideFile side_;
  Reader& reader_;
  std::vector<std::string> notes_;
  std::map<std::string, Home> homes_;
  std::map<std::string, FrameAlias> aliases_;
  std::map<std::string, std::string> merged_joints_;  ///< fixed joints that became frames, with the frame's name
  OutputSection links_, joints_;
  Node tree_;
};

/// The whole model as one tree, in the order in which it is written.
void Conversion::assemble() {
  const Place& place = robot_.place;
  std::vector<Entry> root{{"lithe", place, scalar_node("1", place)}};
  const auto copy = [&](const char* key) {
    if (const Entry* entry = side_.find(key)) root.push_back(*entry);
  };
  const auto add = [&](const char* key, Node value) { root.push_back({key, value.place, std::move(value)}); };
  const auto add_section = [&](const char* key, const OutputSection& section) {
    std::vector<Entry> entries;
    for (const OutputEntry& each : section) entries.push_back(each.entry);
    add(key, map_node(std::move(entries), place));
  };
  if (side_.find("name") != nullptr)
    copy("name");
  else
    add("name", scalar_node(robot_.name, place));
  for (const char* key : {"description", "parameters"}) copy(key);
  if (side_.find("gravity") != nullptr)
    copy("gravity");
  else
    add("gravity", vector_node({0.0, 0.0, -9.81}, place));
  copy("materials");
  add_section("links", links_);
  std::vector<Entry> ground = frames_of("ground");
  if (const Entry* more = side_.find("ground")) add_entries(ground, more->value);
  if (!ground.empty()) add("ground", map_node(std::move(ground), place));
  add_section("joints", joints_);
  for (const char* key :
       {"springs", "loads", "coordinates", "platform", "initial", "speeds", "drives", "run", "record"})
    copy(key);
  for (Entry& entry : root)
    for (const char* key : {"joints", "springs", "loads", "record"})
      if (entry.key == key) replace_aliases(entry.value, aliases_);
  tree_ = map_node(std::move(root), place);
}

std::string Conversion::text(const std::string& urdf, const std::string& side, const std::string& folder) const {
  const auto short_name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  std::string text = fmt::format("# Converted from {}{} by lithe convert.\n", short_name(urdf),
                                 side.empty() ? "" : fmt::format(" and the side file {}", short_name(side)));
  text += "# Shapes (visual, collision) are left out; limits stand as comments.\n";
  for (const std::string& note : notes_) text += fmt::format("# Note: {}.\n", note);
  if (!side_.base_is_free) text += fmt::format("# The base '{}' stands on the ground.\n", robot_.root);
  if (side_.find("actuated") == nullptr && !robot_.has_transmissions)
    text += "# The URDF has no transmissions: every joint that turns or slides has a motor.\n";
  Node tree = tree_;
  relocate_files(tree, folder);
  for (const Entry& entry : tree.entries) {
    const OutputSection* comments = entry.key == "links" ? &links_ : entry.key == "joints" ? &joints_ : nullptr;
    if (comments == nullptr) {
      const bool is_map = entry.value.kind == Node::Kind::map && entry.key != "run";
      if (!is_map) text += entry_text(entry.key, entry.value, 0);
      if (is_map) text += entry.key + ":\n";
      for (const Entry& each : is_map ? entry.value.entries : std::vector<Entry>{})
        text += entry_text(each.key, each.value, 2);
      continue;
    }
    text += "\n" + entry.key + ":\n";
    for (std::size_t i = 0; i < comments->size(); ++i)
      text += fmt::format("  # {}\n", (*comments)[i].comment) +
              entry_text(entry.value.entries[i].key, entry.value.entries[i].value, 2);
    text += "\n";
  }
  return text;
}

std::string text_or_complaint(const std::string& path) {
  FileText file = read_text_file(path);
  if (!file.fault.empty()) throw ModelError({{path, 0, 0, {}, "the file cannot be read: " + file.fault}});
  return std::move(file.text);
}

}  // namespace
}  // namespace io

UrdfConversion convert_urdf(const std::string& urdf, const std::string& side_file, const std::string& output) {
  io::Complaints complaints;
  io::SourceFiles files(complaints);
  std::optional<io::UrdfRobot> robot = io::read_urdf(io::text_or_complaint(urdf), urdf, complaints);
  std::optional<io::Node> side_tree;
  if (!side_file.empty()) side_tree = files.load(io::text_or_complaint(side_file), side_file);
  complaints.throw_if_any();

  io::Reader reader(complaints);
  std::vector<std::string> notes;
  io::SideFile side = io::read_side_file(side_tree ? &*side_tree : nullptr, robot.value(), reader, notes);
  complaints.throw_if_any();
  io::Conversion conversion(std::move(robot.value()), std::move(side), reader, std::move(notes));
  conversion.run();
  complaints.throw_if_any();

  // The reader of model files checks what has been made; its complaints name the places in the two files.
  const io::Item whole{&conversion.tree(), {&urdf, 1, 1}, {}, "model"};
  if (const auto root = reader.object(whole, "model")) {
    io::read_parameters(*root, {}, reader);
    io::ModelBuilder(reader).build(*root);
  }
  complaints.throw_if_any();
  const std::string folder = std::filesystem::path(output).parent_path().string();
  return {conversion.text(urdf, side_file, folder), conversion.notes(), conversion.links(), conversion.joints()};
}

}  // namespace lithe
