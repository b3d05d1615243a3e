// From a URDF and its side file to a model file. The model is made as a tree whose nodes know where they came from, so
// that the reader of model files checks it and its complaints name the place in the URDF or in the side file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/element_kinds.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/io/urdf_homes.hpp"
#include "lithe/io/urdf_inertia.hpp"
#include "lithe/io/urdf_nodes.hpp"
#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/urdf_side.hpp"
#include "lithe/io/urdf_visuals.hpp"
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
  return key != "frames" && key != "modes" && key != "damping" && key != "stiffening" && key != "visual";
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
      : robot_(std::move(robot)),
        side_(std::move(side)),
        reader_(reader),
        notes_(std::move(notes)),
        homes_(robot_, side_) {}

  void run() {
    settle_couplings();
    add_links();
    add_joints();
    check_side_names();
    note_rest();
    assemble();
  }

  const Node& tree() const { return tree_; }
  std::string text(const std::string& urdf, const std::string& side, const std::string& folder) const;
  const std::vector<std::string>& notes() const { return notes_; }
  int links() const { return static_cast<int>(links_.size()); }
  int joints() const { return static_cast<int>(joints_.size()); }

 private:
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
    for (const Entry& frame : homes_.frames_of(link)) {
      if ((given != nullptr && given->value.find(frame.key) != nullptr) || kind.key == "imported") continue;
      reader_.complaints().add(
          change.place, "links." + link,
          fmt::format("'{}' of the {} sits at {}; say what of the {} carries it: frames: {{{}: ...}}", frame.key,
                      robot_.format, flow_text(frame.value), kind.key, frame.key));
    }
  }

  /// A motion that would be another without them is not made in silence.
  void settle_couplings() {
    for (const UrdfCoupling& coupling : robot_.couplings) refuse_coupling(coupling);
  }

  void refuse_coupling(const UrdfCoupling& coupling) {
    if (side_.ignores_couplings)
      notes_.push_back(
          fmt::format("{} line {}: {} is left out, as asked for; without it the robot moves "
                      "differently, unless the side file replaces it",
                      robot_.format, coupling.place.line, coupling.what));
    else
      reader_.complaints().add(coupling.place, coupling.what, coupling.remedy);
  }

  void add_links() {
    for (UrdfLink& link : robot_.links) {
      if (!homes_.is_link(link.name)) continue;
      const Entry* change = side_.find("links", link.name);
      const bool replaced = change != nullptr && has_body(change->value);
      const ElasticKind* kind = change == nullptr ? nullptr : kind_of(change->value);
      std::vector<Entry> entries, frames;
      const bool takes_points = kind == nullptr || kind->frame_type.find("point") != std::string::npos;
      if (takes_points)
        frames = homes_.frames_of(link.name);
      else
        require_frames(link.name, *change, *kind);
      if (!replaced) {
        if (link.has_inertial) settle_inertia(link, side_.inertia, robot_.format, reader_.complaints(), notes_);
        entries.push_back({"rigid", link.place, rigid_node(link)});
      }
      if (change != nullptr) {
        for (const Entry& entry : change->value.entries)
          if (entry.key != "frames") entries.push_back(entry);
        if (const Entry* more = change->value.find("frames")) add_entries(frames, more->value);
      }
      if (!frames.empty()) entries.push_back({"frames", link.place, map_node(std::move(frames), link.place)});
      if (change == nullptr || change->value.find("visual") == nullptr) add_visuals(link.name, change, entries);
      if (!replaced && !link.has_inertial)
        notes_.push_back(fmt::format("{} line {}: link '{}' has no <inertial>: its mass is zero", robot_.format,
                                     link.place.line, link.name));
      links_.push_back(
          {{link.name, change == nullptr ? link.place : change->place, map_node(std::move(entries), link.place)},
           replaced ? fmt::format("{} line {}; body from the side file, line {}", robot_.format, link.place.line,
                                  change->place.line)
                    : fmt::format("{} line {}", robot_.format, link.place.line)});
    }
  }

  /// Shapes of everything that hangs on a link of the model; `change`: what the side file says of the link, or null.
  std::vector<Node> visuals_at(const std::string& home) const {
    std::vector<Node> visuals;
    for (const UrdfLink& link : robot_.links) {
      if (homes_.home_of(link.name) != home) continue;
      for (const UrdfVisual& visual : link.visuals)
        visuals.push_back(visual_node(visual, homes_.pose_at_home(link.name)));
    }
    return visuals;
  }

  void add_visuals(const std::string& link, const Entry* change, std::vector<Entry>& entries) {
    std::vector<Node> visuals = visuals_at(link);
    if (visuals.empty()) return;
    const Entry* beam = change == nullptr ? nullptr : change->value.find("beam");
    if (beam != nullptr && beam->value.find("segments") != nullptr) {
      notes_.push_back(fmt::format("link '{}': its visuals are left out, because it is a beam in segments", link));
      return;
    }
    const Place place = visuals[0].place;
    entries.push_back({"visual", place, visuals.size() == 1 ? visuals[0] : list_node(std::move(visuals), place)});
  }

  bool is_actuated(const UrdfJoint& joint) const {
    const bool turns_or_slides = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::continuous ||
                                 joint.type == UrdfJoint::Type::prismatic;
    if (side_.actuated == "list") return side_.actuated_list.contains(joint.name);
    if (side_.actuated == "none" || !turns_or_slides || !joint.mimics.empty()) return false;
    if (side_.actuated == "all") return true;
    if (!robot_.has_transmissions) return !joint.is_dependent;
    return robot_.transmitted.contains(joint.name);
  }

  void add_joints() {
    if (side_.base_is_free || homes_.base_stays()) {
      std::string name = "base";
      while (side_.joint_names.end() != std::find_if(side_.joint_names.begin(), side_.joint_names.end(),
                                                     [&](const auto& each) { return each.second == name; }))
        name += "-motion";
      const Place& place = robot_.place;
      joints_.push_back({{name, place,
                          map_node({{side_.base_is_free ? "free" : "fixed", place, scalar_node("true", place)},
                                    {"from", place, scalar_node("ground", place)},
                                    {"to", place, scalar_node(robot_.root, place)}},
                                   place)},
                         side_.base_is_free ? "the base moves freely (side file)" : "the base stands on the ground"});
    }
    for (const UrdfJoint& joint : robot_.joints)
      if (!homes_.is_frame(joint.name)) add_joint(joint);
    for (const UrdfLoop& loop : robot_.loops) add_loop(loop);
    for (const UrdfTie& tie : robot_.ties) add_tie(tie);
    for (const UrdfRatio& ratio : robot_.ratios) add_ratio(ratio);
    const bool says_which = side_.find("actuated") != nullptr || robot_.has_transmissions ||
                            std::any_of(robot_.joints.begin(), robot_.joints.end(),
                                        [](const UrdfJoint& joint) { return joint.is_dependent; });
    if (!robot_.loops.empty() && !says_which)
      notes_.push_back(
          "the robot has loops, and nothing says which joints have motors: all that turn or slide, but those of the "
          "loops themselves; 'actuated' in the side file chooses");
  }

  void add_loop(const UrdfLoop& loop) {
    const Place& place = loop.place;
    std::vector<Entry> entries{type_entry(loop.type, loop.axis, place),
                               {"from", place, scalar_node(homes_.reference(loop, 0), place)},
                               {"to", place, scalar_node(homes_.reference(loop, 1), place)}};
    std::string comment = fmt::format("{} line {}; closes a loop", robot_.format, place.line);
    change_joint(loop.name, entries, comment);
    joints_.push_back({{loop.name, place, map_node(std::move(entries), place)}, comment});
  }

  /// What the side file says of a joint replaces what the URDF says.
  void change_joint(const std::string& name, std::vector<Entry>& entries, std::string& comment) const {
    const Entry* change = side_.find("joints", name);
    if (change == nullptr) return;
    const bool has_type = std::any_of(joint_types.begin(), joint_types.end(),
                                      [&](const std::string& type) { return change->value.find(type) != nullptr; });
    if (has_type) entries.erase(entries.begin());
    add_entries(entries, change->value);
    comment += fmt::format("; changed by the side file, line {}", change->place.line);
  }

  void add_joint(const UrdfJoint& joint) {
    const Place& place = joint.place;
    const bool moves_at_all = joint.type != UrdfJoint::Type::fixed;
    const bool is_tied = !joint.mimics.empty() && moves_at_all && (side_.mimic.empty() || side_.mimic == "coupled");
    if (is_tied) add_tie({joint.name, place, joint.name, joint.mimics, joint.mimic_factor, joint.mimic_offset});
    const bool is_held = !joint.mimics.empty() && side_.mimic == "fixed";
    const auto note = [&](const std::string& text) {
      notes_.push_back(fmt::format("{} line {}: joint '{}'{}", robot_.format, place.line, joint.name, text));
    };
    if (!joint.mimics.empty() && !is_tied)
      note(fmt::format(" mimics '{}': it {}", joint.mimics,
                       !moves_at_all ? "is fixed, which goes before"
                       : is_held     ? "is held at zero"
                                     : "moves by itself"));
    std::vector<Entry> entries{type_entry(is_held ? UrdfJoint::Type::fixed : joint.type, joint.axis, place),
                               {"from", place, scalar_node(homes_.reference(joint), place)},
                               {"to", place, scalar_node(joint.child, place)}};
    const bool moves = !is_held && moves_at_all;
    if (moves && is_actuated(joint)) {
      entries.push_back({"actuated", place, scalar_node("true", place)});
      const auto gear = robot_.gears.find(joint.name);
      if (gear != robot_.gears.end() && gear->second.says_something())
        entries.push_back({"motor", place, motor_node(gear->second, place)});
    }
    if (moves && joint.damping > 0.0) entries.push_back({"damping", place, number_node(joint.damping, place)});
    if (moves && joint.stiffness > 0.0) entries.push_back({"spring", place, spring_node(joint)});
    if (moves && joint.armature > 0.0) entries.push_back({"armature", place, number_node(joint.armature, place)});
    if (moves && joint.friction > 0.0)
      entries.push_back({"friction", place, map_node({{"coulomb", place, number_node(joint.friction, place)}}, place)});
    if (moves && side_.limits_are_stops) add_stops(joint, entries);
    if (joint.has_controller) note(": safety_controller and calibration are left out");
    if (!moves_at_all && robot_.transmitted.contains(joint.name)) note(" has a transmission, but is fixed: no motor");
    std::string comment = joint_comment(joint, robot_.format);
    change_joint(joint.name, entries, comment);
    joints_.push_back({{joint.name, place, map_node(std::move(entries), place)}, comment});
  }

  /// Limits that leave no range are those of files that do not care; they would keep the joint from moving at all.
  void add_stops(const UrdfJoint& joint, std::vector<Entry>& entries) {
    const bool has_range = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
    if (!has_range || !joint.limits) return;
    const Place& place = joint.place;
    const double far = std::numeric_limits<double>::infinity();
    const double lower = joint.limits->lower.value_or(-far), upper = joint.limits->upper.value_or(far);
    if (!std::isfinite(lower) && !std::isfinite(upper)) return;
    if (!(lower < upper)) {
      notes_.push_back(fmt::format("{} line {}: joint '{}' has no range between its limits: no stops", robot_.format,
                                   place.line, joint.name));
      return;
    }
    std::vector<Entry> ends;
    if (std::isfinite(lower)) ends.push_back({"lower", place, number_node(lower, place)});
    if (std::isfinite(upper)) ends.push_back({"upper", place, number_node(upper, place)});
    entries.push_back({"stops", place, map_node(std::move(ends), place)});
  }

  void add_tie(const UrdfTie& tie) {
    const Place& place = tie.place;
    const bool is_held = tie.of.empty() || tie.factor == 0.0;
    std::vector<Entry> entries;
    if (is_held)
      entries.push_back({"terms", place, map_node({{tie.joint, place, scalar_node("1", place)}}, place)});
    else
      entries.push_back({"mimic", place,
                         map_node({{"joint", place, scalar_node(tie.joint, place)},
                                   {"of", place, scalar_node(tie.of, place)},
                                   {"factor", place, number_node(tie.factor, place)}},
                                  place)});
    if (tie.offset != 0.0 || is_held) entries.push_back({"offset", place, number_node(tie.offset, place)});
    couplings_.push_back({tie.name, place, map_node(std::move(entries), place)});
  }

  /// Joints from the root to a link, those that move.
  std::vector<const UrdfJoint*> joints_to(std::string link) const {
    std::vector<const UrdfJoint*> chain;
    const auto leads_there = [&](const UrdfJoint& joint) { return joint.child == link; };
    for (auto found = std::find_if(robot_.joints.begin(), robot_.joints.end(), leads_there);
         found != robot_.joints.end() && chain.size() <= robot_.joints.size();
         found = std::find_if(robot_.joints.begin(), robot_.joints.end(), leads_there)) {
      if (found->type != UrdfJoint::Type::fixed) chain.insert(chain.begin(), &*found);
      link = found->parent;
    }
    return chain;
  }

  void add_ratio(const UrdfRatio& ratio) {
    const Place& place = ratio.place;
    const auto refuse = [&](const std::string& why) {
      refuse_coupling({place, fmt::format("coupling '{}'", ratio.name),
                       why + "; write what is meant into 'couplings' of the side file; --ignore-couplings converts "
                             "without it"});
    };
    if (side_.ignores_couplings) return refuse("");
    std::vector<const UrdfJoint*> before = joints_to(ratio.predecessor), behind = joints_to(ratio.successor);
    while (!before.empty() && !behind.empty() && before.front() == behind.front()) {
      before.erase(before.begin());
      behind.erase(behind.begin());
    }
    if (before.empty() || behind.empty())
      return refuse(fmt::format("no joint moves '{}' on the way from the last link that carries both",
                                before.empty() ? ratio.predecessor : ratio.successor));
    std::vector<Entry> terms;
    for (const auto& [chain, factor] : {std::pair{&behind, 1.0}, std::pair{&before, -ratio.ratio}})
      for (const UrdfJoint* joint : *chain) {
        using Type = UrdfJoint::Type;
        if (joint->type == Type::floating || joint->type == Type::planar || joint->type == Type::spherical)
          return refuse(fmt::format("the joint '{}' has no single coordinate", joint->name));
        terms.push_back({joint->name, place, number_node(factor, place)});
      }
    std::vector<Entry> kind{{"terms", place, map_node(std::move(terms), place)}};
    couplings_.push_back({ratio.name, place, map_node(std::move(kind), place)});
  }

  /// Entries of the side file that are not in the URDF: a joint may be new, a link may not.
  void check_side_names() {
    const auto entries = [&](const char* key) {
      const Entry* section = side_.find(key);
      return section == nullptr ? std::vector<Entry>{} : section->value.entries;
    };
    const std::vector<std::string> link_names = names_of(robot_.links);
    std::vector<std::string> joint_names = names_of(robot_.joints);
    for (const UrdfLoop& loop : robot_.loops) joint_names.push_back(loop.name);
    for (const Entry& entry : entries("links")) {
      if (std::find(link_names.begin(), link_names.end(), entry.key) == link_names.end())
        reader_.complaints().add(
            entry.place, "links." + entry.key,
            fmt::format("the {} has no link '{}'{}", robot_.format, entry.key, hint(entry.key, link_names)));
      else if (!homes_.is_link(entry.key) && entry.key == robot_.root)
        reader_.complaints().add(
            entry.place, "links." + entry.key,
            "this is the base, which stands on the ground; add frames with 'ground', or write 'base: "
            "free'");
    }
    for (const Entry& entry : entries("joints")) {
      if (std::find(joint_names.begin(), joint_names.end(), entry.key) != joint_names.end()) continue;
      if (entry.value.find("from") == nullptr && entry.value.find("to") == nullptr)
        reader_.complaints().add(entry.place, "joints." + entry.key,
                                 fmt::format("the {} has no joint '{}'{}; a new joint needs a type, from and to",
                                             robot_.format, entry.key, hint(entry.key, joint_names)));
      else
        joints_.push_back({entry, fmt::format("side file, line {}", entry.place.line)});
    }
  }

  void note_rest() {
    const bool nothing_moves = std::all_of(joints_.begin(), joints_.end(), [](const OutputEntry& joint) {
      return joint.entry.value.find("fixed") != nullptr;
    });
    if (nothing_moves)
      notes_.push_back(
          "the robot has nothing that moves: all its links are fixed to the ground; 'base: free' in the side file lets "
          "it move");
  }

  void assemble();

  UrdfRobot robot_;
  SideFile side_;
  Reader& reader_;
  std::vector<std::string> notes_;
  UrdfHomes homes_;
  OutputSection links_, joints_;
  std::vector<Entry> couplings_;
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
    add("gravity", vector_node(robot_.gravity, place));
  copy("materials");
  add_section("links", links_);
  std::vector<Entry> ground = homes_.frames_of("ground");
  if (const Entry* more = side_.find("ground")) add_entries(ground, more->value);
  if (!ground.empty()) add("ground", map_node(std::move(ground), place));
  if (side_.find("scenery") != nullptr)
    copy("scenery");
  else if (std::vector<Node> visuals = visuals_at("ground"); !visuals.empty())
    add("scenery", list_node(std::move(visuals), place));
  add_section("joints", joints_);
  if (const Entry* more = side_.find("couplings"); more != nullptr && more->value.kind == Node::Kind::map)
    add_entries(couplings_, more->value);
  if (!couplings_.empty()) add("couplings", map_node(std::move(couplings_), place));
  for (const char* key : {"cylinders", "springs", "loads", "coordinates", "platform", "initial", "speeds", "drives",
                          "sensors", "controllers", "events", "run", "record"})
    copy(key);
  std::vector<std::string> with_frames{"joints", "cylinders", "springs", "loads", "record"};
  for (const ElementKind& kind : element_kinds()) {
    copy(kind.section.c_str());
    with_frames.push_back(kind.section);
  }
  for (Entry& entry : root)
    if (std::find(with_frames.begin(), with_frames.end(), entry.key) != with_frames.end())
      replace_aliases(entry.value, homes_.aliases());
  tree_ = map_node(std::move(root), place);
}

std::string Conversion::text(const std::string& urdf, const std::string& side, const std::string& folder) const {
  const auto short_name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  std::string text = fmt::format("# Converted from {}{} by lithe convert.\n", short_name(urdf),
                                 side.empty() ? "" : fmt::format(" and the side file {}", short_name(side)));
  text += side_.limits_are_stops ? "# Collision shapes are left out; limits are hard stops.\n"
                                 : "# Collision shapes are left out; limits stand as comments.\n";
  for (const std::string& note : notes_) text += fmt::format("# Note: {}.\n", note);
  if (!side_.base_is_free && !homes_.base_stays())
    text += fmt::format("# The base '{}' stands on the ground.\n", robot_.root);
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

UrdfConversion convert_urdf(const std::string& urdf, const std::string& side_file, const std::string& output,
                            const UrdfOptions& options) {
  io::Complaints complaints;
  io::SourceFiles files(complaints);
  std::optional<io::UrdfRobot> robot = io::read_robot(io::text_or_complaint(urdf), urdf, complaints);
  std::optional<io::Node> side_tree;
  if (!side_file.empty()) side_tree = files.load(io::text_or_complaint(side_file), side_file);
  complaints.throw_if_any();

  io::Reader reader(complaints);
  std::vector<std::string> notes = robot->notes;
  io::SideFile side = io::read_side_file(side_tree ? &*side_tree : nullptr, robot.value(), options, reader, notes);
  complaints.throw_if_any();
  side.limits_are_stops = options.stops;
  io::Conversion conversion(std::move(robot.value()), std::move(side), reader, std::move(notes));
  conversion.run();
  complaints.throw_if_any();

  // The reader of model files checks what has been made; its complaints name the places in the two files.
  const io::Item whole{&conversion.tree(), {&urdf, 1, 1}, {}, "model"};
  if (const auto root = reader.object(whole, "model")) {
    io::read_parameters(*root, {}, reader.own, reader);
    io::ModelBuilder(reader, {}).build(*root);
  }
  complaints.throw_if_any();
  const std::string folder = std::filesystem::path(output).parent_path().string();
  return {conversion.text(urdf, side_file, folder), conversion.notes(), conversion.links(), conversion.joints()};
}

}  // namespace lithe
