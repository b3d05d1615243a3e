// joints.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

std::optional<FrameRef> ModelBuilder::frame(const Item& item) {
  const auto text = reader_.text(item);
  if (!text) return std::nullopt;
  const std::size_t slash = text->find('/');
  const std::string link_name = text->substr(0, slash);
  const std::string frame_name = slash == std::string::npos ? "origin" : text->substr(slash + 1);
  if (segmented_.contains(link_name)) return frame_on_segments(item, link_name, frame_name);
  const int link = model_.mechanism.find_link(link_name);
  if (link < 0) {
    if (!links_known_) return std::nullopt;
    reader_.complain(item, fmt::format("unknown link '{}'{}", link_name, hint(link_name, link_names())));
    return std::nullopt;
  }
  const LinkData& data = model_.mechanism.links[link];
  const int index = data.find_frame(frame_name);
  if (index < 0) {
    if (!frames_known_[link]) return std::nullopt;
    std::vector<std::string> known;
    for (const Frame& each : data.frames) known.push_back(each.name);
    reader_.complain(item,
                     fmt::format("link '{}' has no frame '{}'{}", link_name, frame_name, hint(frame_name, known)));
    return std::nullopt;
  }
  return FrameRef{link, index};
}

std::optional<FrameRef> ModelBuilder::frame_on_segments(const Item& item, const std::string& link,
                                                        const std::string& frame) {
  // Every piece has its own origin, root and tip; those of the whole are its two ends.
  const auto [first, count] = segmented_.at(link);
  std::vector<std::string> known{"origin", "root", "tip"};
  for (int piece = first; piece < first + count; ++piece) {
    const LinkData& data = model_.mechanism.links[piece];
    const bool is_end = frame == "tip" ? piece == first + count - 1 : piece == first;
    const bool is_own = std::find(known.begin(), known.begin() + 3, frame) != known.begin() + 3;
    if (const int index = data.find_frame(frame); index >= 0 && (is_end || !is_own)) return FrameRef{piece, index};
    for (const Frame& each : data.frames)
      if (std::find(known.begin(), known.end(), each.name) == known.end()) known.push_back(each.name);
  }
  reader_.complain(item, fmt::format("link '{}' has no frame '{}'{}", link, frame, hint(frame, known)));
  return std::nullopt;
}

void ModelBuilder::read_joints(const Object& root) {
  const auto item = root.get("joints");
  if (!item) return;
  const auto joints = reader_.map(*item);
  joints_known_ = joints.has_value();
  if (!joints) return;
  for (const NamedItem& named : *joints) read_joint(named);
}

void ModelBuilder::read_joint(const NamedItem& named) {
  check_name(named);
  joints_.emplace(named.name, named.item);
  Joint joint;
  joint.name = named.name;
  bool type_known = false;
  if (const auto object = reader_.object(named.item, "joint")) {
    type_known = read_joint_type(*object, joint);
    const auto from = object->get("from"), to = object->get("to");
    const auto from_frame = from ? frame(*from) : std::nullopt, to_frame = to ? frame(*to) : std::nullopt;
    if (from_frame) joint.from = *from_frame;
    if (to_frame) joint.to = *to_frame;
    if (from_frame && to_frame && from_frame->link == to_frame->link)
      reader_.complain(*to, fmt::format("a joint connects two links, but from and to are both on '{}'",
                                        model_.mechanism.links[to_frame->link].name));
    if (type_known) read_joint_forces(*object, joint);
    if (type_known) read_motor(*object, joint);
    if (const auto cut = object->get("cut")) joint.cut = reader_.flag(*cut).value_or(false);
  }
  joint_types_known_[named.name] = type_known;
  model_.mechanism.add_joint(std::move(joint));
}

/// False when the type is missing, doubled or has no readable axis.
bool ModelBuilder::read_joint_type(const Object& object, Joint& joint) {
  std::optional<Item> given;
  for (const JointFacts& facts : joint_table) {
    const auto item = object.get(std::string(facts.name));
    if (!item) continue;
    if (given) return false;
    given = item;
    joint.type = facts.type;
  }
  if (!given) return false;
  if (joint.facts().axes == 0) {
    if (given->node->kind == Node::Kind::map) return reader_.object(*given, "nothing").has_value();
    return reader_.word(*given).has_value();
  }
  return joint.facts().axes == 1 ? read_axis(*given, joint) : read_two_axes(*given, joint);
}

bool ModelBuilder::read_axis(const Item& given, Joint& joint) {
  const auto axis = reader_.axis(given);
  if (axis) joint.axis = *axis;
  return axis.has_value();
}

bool ModelBuilder::read_two_axes(const Item& given, Joint& joint) {
  const auto axes = reader_.list(given, 2, 2);
  if (!axes) return false;
  const auto first = reader_.axis((*axes)[0]), second = reader_.axis((*axes)[1]);
  if (!first || !second) return false;
  if (std::abs(first->dot(*second)) > 1e-9) {
    reader_.complain(given,
                     fmt::format("the two axes of a universal joint must be perpendicular, but they make {:.4g} deg",
                                 std::acos(std::clamp(first->dot(*second), -1.0, 1.0)) * 180.0 / M_PI));
    return false;
  }
  joint.axis = *first;
  joint.axis2 = *second;
  return true;
}

/// One number for all speeds, or a list with one per speed.
std::optional<std::vector<double>> ModelBuilder::per_speed(const Item& item, std::size_t count, const Joint& joint) {
  if (item.node->kind == Node::Kind::list) {
    if (item.node->items.size() != count) {
      reader_.complain(item, fmt::format("expected {} entr{} for a {} joint, but the list has {}", count,
                                         count == 1 ? "y" : "ies", name_of(joint.type), item.node->items.size()));
      return std::nullopt;
    }
    return reader_.numbers(item, count, count);
  }
  const auto value = reader_.number(item);
  if (!value) return std::nullopt;
  return std::vector<double>(count, *value);
}

void ModelBuilder::read_joint_forces(const Object& object, Joint& joint) {
  const auto speeds = static_cast<std::size_t>(speed_count(joint.type));
  if (speeds == 0) {
    for (const char* key : {"actuated", "spring", "damping", "friction", "stops", "armature"})
      if (const auto item = object.get(key)) reader_.complain_key(*item, "a fixed joint does not move; leave this out");
    return;
  }
  if (const auto item = object.get("actuated")) {
    if (item->node->kind == Node::Kind::list) {
      if (const auto flags = reader_.list(*item, speeds, speeds))
        for (const Item& each : *flags) joint.actuated.push_back(reader_.flag(each).value_or(false));
    } else {
      joint.actuated.assign(speeds, reader_.flag(*item).value_or(false));
    }
  }
  if (const auto item = object.get("damping"))
    joint.damping = per_speed(*item, speeds, joint).value_or(std::vector<double>{});
  if (const auto item = object.get("friction")) read_friction(*item, joint);
  if (const auto item = object.get("stops")) read_stops(*item, joint);
  if (const auto item = object.get("armature")) {
    const auto scalars = static_cast<std::size_t>(joint.facts().scalars());
    if (scalars == 0)
      reader_.complain_key(*item, "a spherical joint has no armature; give the link beyond it the inertia");
    else if (auto values = per_speed(*item, scalars, joint)) {
      values->resize(speeds, 0.0);
      joint.armature = std::move(*values);
    }
  }
  const auto item = object.get("spring");
  const auto spring = item ? reader_.object(*item, "joint-spring") : std::nullopt;
  if (!spring) return;
  if (const auto stiffness = spring->get("stiffness")) {
    joint.stiffness = per_speed(*stiffness, speeds, joint).value_or(std::vector<double>{});
    const bool turns = joint.facts().has_quaternion();
    if (turns && !joint.stiffness.empty() &&
        std::any_of(joint.stiffness.end() - 3, joint.stiffness.end(),
                    [&](double k) { return k != joint.stiffness.back(); }))
      reader_.complain(*stiffness, "the rotational stiffness must be the same about all three axes");
  }
  if (const auto rest = spring->get("rest")) {
    if (joint.facts().scalars() == 0) {
      reader_.complain_key(*rest, "the spring of a spherical joint rests at zero rotation; turn a frame instead");
      return;
    }
    const auto scalars = static_cast<std::size_t>(joint.facts().scalars());
    const Reader::NoAngles distances(reader_, joint.facts().scalars() == joint.facts().distances());
    if (auto values = per_speed(*rest, scalars, joint)) {
      values->resize(speeds, 0.0);
      joint.rest = std::move(*values);
    }
  }
}

/// One entry of a section for all of `count`, or a list with one each.
std::vector<std::optional<Object>> ModelBuilder::one_or_each(const Item& item, const std::string& section,
                                                             std::size_t count, const Joint& joint) {
  if (item.node->kind != Node::Kind::list) return std::vector(count, reader_.object(item, section));
  std::vector<std::optional<Object>> each;
  if (item.node->items.size() != count) {
    reader_.complain(item, fmt::format("expected {} entr{} for a {} joint, but the list has {}", count,
                                       count == 1 ? "y" : "ies", name_of(joint.type), item.node->items.size()));
    return each;
  }
  for (const Item& entry : reader_.list(item, count, count).value_or(std::vector<Item>{}))
    each.push_back(reader_.object(entry, section));
  return each;
}

void ModelBuilder::read_friction(const Item& item, Joint& joint) {
  const auto speeds = static_cast<std::size_t>(speed_count(joint.type));
  const bool listed = item.node->kind == Node::Kind::list;
  const auto each = one_or_each(item, "friction", speeds, joint);
  std::vector<JointFriction> dry(speeds);
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (!each[i]) return;
    const Object& friction = *each[i];
    const auto value = [&](const char* key, double otherwise) {
      const auto given = friction.get(key);
      return given ? reader_.number(*given).value_or(otherwise) : otherwise;
    };
    if (const auto given = friction.get("viscous"); given && (listed || i == 0)) {
      joint.damping.resize(speeds, 0.0);
      if (const auto viscous = per_speed(*given, listed ? 1 : speeds, joint))
        for (std::size_t k = 0; k < viscous->size(); ++k) joint.damping[listed ? i : k] += (*viscous)[k];
    }
    if (!listed && i > 0) {
      dry[i] = dry[0];
      continue;
    }
    dry[i].coulomb = value("coulomb", 0.0);
    dry[i].breakaway = value("breakaway", dry[i].coulomb);
    dry[i].stribeck = value("stribeck", 0.0);
    dry[i].load = value("load", 0.0);
    dry[i].creep = value("creep", 0.0);
    if (dry[i].breakaway < dry[i].coulomb)
      reader_.complain(*friction.get("breakaway"),
                       fmt::format("friction at rest must not be less than while it slides, {}", dry[i].coulomb));
    if (!dry[i].acts() && !friction.has("viscous") && !friction.incomplete)
      reader_.complain(friction.item(), "friction needs viscous, coulomb, breakaway or load");
    if (dry[i].creep > 0.0 && dry[i].load > 0.0)
      reader_.complain_key(*friction.get("load"),
                           "friction that depends on the force carried is exact: leave out creep, or load");
  }
  if (std::any_of(dry.begin(), dry.end(), [](const JointFriction& friction) { return friction.acts(); }))
    joint.friction = std::move(dry);
  for (std::size_t k = 0; k < joint.friction.size(); ++k)
    if (joint.friction[k].creep > 0.0 && static_cast<int>(k) >= joint.facts().scalars())
      return reader_.complain_key(item, "friction with creep needs a single coordinate; a rotation in space has none");
}

void ModelBuilder::read_stops(const Item& item, Joint& joint) {
  const auto scalars = static_cast<std::size_t>(joint.facts().scalars());
  if (scalars == 0)
    return reader_.complain_key(item, "a spherical joint has no single coordinate that could have stops");
  const auto each = one_or_each(item, "stop", scalars, joint);
  if (each.empty()) return;
  joint.stops.assign(speed_count(joint.type), {});
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (!each[i]) return;
    const Object& entry = *each[i];
    JointStop& stop = joint.stops[i];
    const Reader::NoAngles distance(reader_, joint.facts().is_distance(static_cast<int>(i)));
    const std::pair<const char*, double*> numbers[] = {{"lower", &stop.lower},
                                                       {"upper", &stop.upper},
                                                       {"stiffness", &stop.stiffness},
                                                       {"damping", &stop.damping},
                                                       {"restitution", &stop.restitution}};
    for (const auto& [key, number] : numbers)
      if (const auto given = entry.get(key)) *number = reader_.number(*given).value_or(*number);
    if (!entry.has("lower") && !entry.has("upper") && !entry.incomplete)
      reader_.complain(entry.item(), "stops need lower, upper or both");
    if (stop.is_given() && !(stop.lower < stop.upper))
      reader_.complain(*entry.get("upper"), fmt::format("must be above the lower end, {:.6g}", stop.lower));
    if (stop.restitution > 1.0) reader_.complain(*entry.get("restitution"), "must lie between 0 and 1");
    if (stop.stiffness > 0.0 && entry.has("restitution"))
      reader_.complain_key(*entry.get("restitution"),
                           "a stop with stiffness gives back by its damping: leave out restitution, or stiffness");
    if (stop.stiffness == 0.0 && entry.has("damping"))
      reader_.complain_key(*entry.get("damping"), "a hard stop has no damping: give stiffness, or restitution");
  }
}

int ModelBuilder::joint_named(const std::string& name, const Item& item) {
  const int joint = model_.mechanism.find_joint(name);
  if (joint < 0 && joints_known_)
    reader_.complain(item, fmt::format("unknown joint '{}'{}", name, hint(name, joint_names())));
  return joint;
}

std::vector<std::string> ModelBuilder::joint_names() const {
  std::vector<std::string> names;
  for (const Joint& joint : model_.mechanism.joints) names.push_back(joint.name);
  return names;
}

}  // namespace lithe::io
