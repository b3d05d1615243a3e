// initial, speeds: joint coordinates and speeds, link poses and twists at the start.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>

#include "lithe/io/model_builder.hpp"
#include "lithe/io/places.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe::io {

namespace {

/// Coordinates that may be given one by one: all but quaternions.
int scalar_count(JointType type) { return facts_of(type).scalars(); }

std::string coordinate_range(const Joint& joint, int count) {
  return count == 1
             ? fmt::format("'{}' has one coordinate", joint.name)
             : fmt::format("'{}' has the coordinates {}.0 to {}.{}", joint.name, joint.name, joint.name, count - 1);
}

void complain_scalar(const Item& item, std::size_t count, const char* what, Reader& reader) {
  reader.complain(item, fmt::format("expected a list of {} numbers, one per {}, but this is {}", count, what,
                                    describe(*item.node)));
}

}  // namespace

std::optional<ModelBuilder::JointCoordinate> ModelBuilder::joint_coordinate(const NamedItem& named,
                                                                            int (*limit)(JointType)) {
  const auto find = [&](const std::string& name) -> const Joint* {
    // Cartesian coordinates add a joint that holds the pose of the platform.
    if (model_.plan.coordinates == Coordinates::cartesian && name == model_.plan.platform + ".free") {
      platform_joint_.name = name;
      platform_joint_.type = JointType::free;
      return &platform_joint_;
    }
    const int index = model_.mechanism.find_joint(name);
    return index < 0 ? nullptr : &model_.mechanism.joints[index];
  };

  JointCoordinate result{find(named.name), std::nullopt};
  std::string name = named.name;
  const std::size_t dot = name.rfind('.');
  if (result.joint == nullptr && dot != std::string::npos) {
    int coordinate = 0;
    const char *begin = name.data() + dot + 1, *end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, coordinate);
    if (error == std::errc{} && stop == end && coordinate >= 0) {
      name.resize(dot);
      result = {find(name), coordinate};
    }
  }
  if (result.joint == nullptr) {
    if (joints_known_ && links_known_) {
      const std::string link = name.ends_with(".free") ? link_of_start(name.substr(0, name.size() - 5)) : std::string();
      reader_.complain_key(
          named.item, link.empty()
                          ? fmt::format("unknown joint '{}'{}", name, hint(name, joint_names()))
                          : fmt::format("there is a joint '{}' only with 'coordinates: cartesian' and 'platform: {}'; "
                                        "the pose of the link is given by its name: {}: {{at: [x, y, z]}}",
                                        name, link, link));
    }
    return std::nullopt;
  }
  const auto type_known = joint_types_known_.find(result.joint->name);
  if (type_known != joint_types_known_.end() && !type_known->second) return std::nullopt;
  if (result.joint->type == JointType::fixed) {
    reader_.complain_key(named.item, fmt::format("the fixed joint '{}' has no coordinate", name));
    return std::nullopt;
  }
  const int count = limit(result.joint->type);
  if (result.coordinate && *result.coordinate >= count) {
    reader_.complain_key(
        named.item, count == 0 ? fmt::format("the rotation of '{}' is given as a whole: {{axis: ..., angle: ...}} or "
                                             "[w, x, y, z]",
                                             name)
                               : coordinate_range(*result.joint, count));
    return std::nullopt;
  }
  return result;
}

bool ModelBuilder::slides(const Joint& joint, int coordinate) const {
  return &joint != &platform_joint_ && joint.facts().is_distance(coordinate);
}

std::optional<std::vector<double>> ModelBuilder::coordinate_values(const Item& item, const Joint& joint,
                                                                   std::size_t least, std::size_t most) {
  Item plain = item;
  plain.type = "list of number";
  auto elements = reader_.list(plain, least, most);
  if (!elements) return std::nullopt;
  std::vector<double> values;
  bool good = true;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    Item& element = (*elements)[i];
    if (slides(joint, static_cast<int>(i))) element.type = "plain";
    const auto value = reader_.number(element);
    good = good && value.has_value();
    values.push_back(value.value_or(0.0));
  }
  if (!good) return std::nullopt;
  return values;
}

bool ModelBuilder::read_elastic_value(const NamedItem& named, std::vector<ElasticValue>& values) {
  const std::size_t dot = named.name.rfind(".e");
  if (dot == std::string::npos || model_.mechanism.find_joint(named.name) >= 0) return false;
  const std::string name = named.name.substr(0, dot);
  const int link = model_.mechanism.find_link(name);
  int number = 0;
  const char *begin = named.name.data() + dot + 2, *end = named.name.data() + named.name.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (link <= 0 || error != std::errc{} || stop != end) return false;
  const int count = model_.mechanism.links[link].elastic.count();
  const bool waits = waits_for_shapes(link);
  if (waits) elastic_values_.push_back(named);
  if (number < 1 || (!waits && number > count)) {
    reader_.complain_key(named.item, count == 0 && !waits
                                         ? fmt::format("the link '{}' is rigid; it has no elastic coordinate", name)
                                         : fmt::format("the link '{}' has the elastic coordinates {}.e1 to {}.e{}",
                                                       name, name, name, count));
    return true;
  }
  Item scalar = named.item;
  scalar.type = "number";
  if (const auto value = reader_.number(scalar)) values.push_back({name, number - 1, *value});
  return true;
}

bool ModelBuilder::is_elastic_coordinate(const NamedItem& named) {
  const std::size_t dot = named.name.rfind(".e");
  if (dot == std::string::npos || model_.mechanism.find_joint(named.name) >= 0) return false;
  const std::string name = named.name.substr(0, dot);
  int number = 0;
  const char *begin = named.name.data() + dot + 2, *end = named.name.data() + named.name.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  const int link = model_.mechanism.find_link(name);
  if (link <= 0 || error != std::errc{} || stop != end) return false;
  const int count = model_.mechanism.links[link].elastic.count();
  if (waits_for_shapes(link))
    elastic_values_.push_back(named);
  else if (number < 1 || (number > count && !options_.rigid))
    reader_.complain(named.item, count == 0 ? fmt::format("the link '{}' is rigid; it has no elastic coordinate", name)
                                            : fmt::format("the link '{}' has the elastic coordinates {}.e1 to {}.e{}",
                                                          name, name, name, count));
  return true;
}

std::string ModelBuilder::link_of_start(const std::string& name) const {
  const auto pieces = segmented_.find(name);
  if (pieces != segmented_.end()) return model_.mechanism.links[pieces->second.first].name;
  return model_.mechanism.find_link(name) > 0 ? name : std::string();
}

bool ModelBuilder::complain_about_link(const NamedItem& named) {
  if (!links_known_ || !joints_known_ || model_.mechanism.find_joint(named.name) >= 0) return false;
  const std::string meant = did_you_mean(named.name, link_names());
  if (meant.empty() || !did_you_mean(named.name, joint_names()).empty()) return false;
  reader_.complain_key(named.item, fmt::format("unknown joint or link '{}'{}", named.name, meant));
  return true;
}

void ModelBuilder::check_elastic_values() {
  for (const NamedItem& named : elastic_values_) {
    const std::size_t dot = named.name.rfind(".e");
    const std::string name = named.name.substr(0, dot);
    const int link = model_.mechanism.find_link(name), number = std::stoi(named.name.substr(dot + 2));
    const int count = model_.mechanism.links[link].elastic.count();
    if (number > count && !options_.rigid)
      reader_.complain_key(named.item,
                           fmt::format("the link '{}' has the elastic coordinates {}.e1 to {}.e{}, as chosen "
                                       "automatically; give 'modes' to have others",
                                       name, name, name, count));
  }
}

void ModelBuilder::read_initial(const Object& root) {
  const auto item = root.get("initial");
  if (!item) return;
  if (item->node->kind == Node::Kind::scalar) {
    Item word = *item;
    word.type = "word(equilibrium)";
    model_.start_at_equilibrium = reader_.word(word).has_value();
    return;
  }
  const auto entries = reader_.map(*item);
  if (!entries) return;
  for (const NamedItem& named : *entries) read_initial_entry(named);
}

void ModelBuilder::read_initial_entry(const NamedItem& named) {
  const bool is_joint = model_.mechanism.find_joint(named.name) >= 0;
  const std::string link = is_joint ? std::string() : link_of_start(named.name);
  if (!link.empty()) return read_link_pose(named.item, link);
  if (!is_joint && named.name == "equilibrium") {
    Item flag = named.item;
    flag.type = "flag";
    model_.start_at_equilibrium = reader_.flag(flag).value_or(false);
    return;
  }
  if (read_elastic_value(named, model_.initial_elastic) || complain_about_link(named)) return;
  const auto target = joint_coordinate(named, scalar_count);
  if (!target) return;
  const Joint& joint = *target->joint;
  if (target->coordinate) {
    Item scalar = named.item;
    scalar.type = slides(joint, *target->coordinate) ? "plain" : "number";
    if (const auto value = reader_.number(scalar)) model_.initial.push_back({joint.name, *target->coordinate, *value});
    return;
  }
  const auto count = static_cast<std::size_t>(position_count(joint.type));
  const auto put = [&](const std::vector<double>& values, std::size_t first = 0) {
    for (std::size_t i = 0; i < values.size(); ++i)
      model_.initial.push_back({joint.name, static_cast<int>(first + i), values[i]});
  };
  const bool has_rotation = joint.facts().has_quaternion();
  Item plain = named.item;
  plain.type = "list of number";
  const bool is_list = named.item.node->kind == Node::Kind::list;
  if (has_rotation && named.item.node->kind == Node::Kind::map) {
    const auto pose = read_start_pose(named.item, joint.type != JointType::spherical);
    if (!pose) return;
    if (&joint == &platform_joint_) {
      // In a plane that joint has other coordinates; as the pose of its link it is the same.
      model_.initial_poses.push_back({model_.plan.platform, pose->position, pose->rotation});
      return;
    }
    if (pose->position) put({pose->position->x(), pose->position->y(), pose->position->z()});
    if (pose->rotation) {
      const Quat& q = *pose->rotation;
      put({q.w(), q.x(), q.y(), q.z()}, count - 4);
    }
  } else if (has_rotation && !is_list) {
    reader_.complain(named.item, joint.type == JointType::free
                                     ? "expected [x, y, z] or {position: ..., axis: ..., angle: ...}"
                                     : "expected [w, x, y, z] or {axis: ..., angle: ...}");
  } else if (count > 1 && !is_list) {
    complain_scalar(named.item, count, "coordinate", reader_);
  } else if (!is_list) {
    plain.type = slides(joint, 0) ? "plain" : "number";
    if (const auto value = reader_.number(plain)) put({*value});
  } else if (joint.type == JointType::spherical) {
    if (const auto q = reader_.quaternion(plain)) put({q->w(), q->x(), q->y(), q->z()});
  } else if (joint.type == JointType::free) {
    if (const auto position = coordinate_values(named.item, joint, 3, 3)) put(*position);
  } else if (const auto values = coordinate_values(named.item, joint, count, count)) {
    put(*values);
  }
}

std::optional<ModelBuilder::StartPose> ModelBuilder::read_start_pose(const Item& item, bool moves) {
  const auto object = reader_.object(item, "pose");
  if (!object) return std::nullopt;
  StartPose pose;
  const auto at = object->get("at"), position = object->get("position");
  if (at && position) reader_.complain_key(*position, "give either at or position");
  if ((at || position) && !moves)
    reader_.complain_key(at ? *at : *position, "a spherical joint only turns; leave the position out");
  else if (at || position)
    pose.position = reader_.point(at ? *at : *position);
  const auto axis = object->get("axis"), angle = object->get("angle");
  const auto rotate = object->get("rotate"), quaternion = object->get("quaternion");
  if (axis.has_value() != angle.has_value()) reader_.complain_key(axis ? *axis : *angle, "axis and angle go together");
  if (axis && quaternion) reader_.complain_key(*quaternion, "give either axis and angle or quaternion");
  if (axis && rotate) reader_.complain_key(*rotate, "give either axis and angle or rotate");
  if (rotate || quaternion) pose.rotation = Quat(read_rotation(*object, reader_));
  const auto direction = axis ? reader_.axis(*axis) : std::nullopt;
  const auto turned = angle ? reader_.number(*angle) : std::nullopt;
  if (direction && turned) pose.rotation = Quat(Eigen::AngleAxisd(*turned, *direction));
  return pose;
}

void ModelBuilder::read_link_pose(const Item& item, const std::string& link) {
  if (item.node->kind == Node::Kind::list) {
    Item point = item;
    point.type = "point";
    if (const auto position = reader_.point(point)) model_.initial_poses.push_back({link, *position, std::nullopt});
  } else if (item.node->kind != Node::Kind::map) {
    reader_.complain(item, fmt::format("'{}' is a link; expected its pose: {{at: [x, y, z], rotate: {{axis: ..., "
                                       "angle: ...}}}}, or [x, y, z]",
                                       link));
  } else if (const auto pose = read_start_pose(item, true)) {
    model_.initial_poses.push_back({link, pose->position, pose->rotation});
  }
}

void ModelBuilder::read_speeds(const Object& root) {
  const auto item = root.get("speeds");
  const auto entries = item ? reader_.map(*item) : std::nullopt;
  if (!entries) return;
  for (const NamedItem& named : *entries) read_speed_entry(named);
}

void ModelBuilder::read_speed_entry(const NamedItem& named) {
  const bool is_joint = model_.mechanism.find_joint(named.name) >= 0;
  const std::string link = is_joint ? std::string() : link_of_start(named.name);
  if (!link.empty()) return read_link_twist(named.item, link);
  if (read_elastic_value(named, model_.initial_elastic_speeds) || complain_about_link(named)) return;
  const auto target = joint_coordinate(named, speed_count);
  if (!target) return;
  const Joint& joint = *target->joint;
  const auto count = static_cast<std::size_t>(speed_count(joint.type));
  Item plain = named.item;
  if (target->coordinate) {
    plain.type = slides(joint, *target->coordinate) ? "plain" : "number";
    if (const auto value = reader_.number(plain))
      model_.initial_speeds.push_back({joint.name, *target->coordinate, *value});
  } else if (named.item.node->kind != Node::Kind::list && count == 1) {
    plain.type = slides(joint, 0) ? "plain" : "number";
    if (const auto value = reader_.number(plain)) model_.initial_speeds.push_back({joint.name, 0, *value});
  } else if (named.item.node->kind != Node::Kind::list) {
    complain_scalar(named.item, count, "speed", reader_);
  } else {
    // The pose of a platform in a plane has three speeds.
    const std::size_t least = &joint == &platform_joint_ ? 3 : count;
    if (const auto values = coordinate_values(named.item, joint, least, count))
      for (std::size_t i = 0; i < values->size(); ++i)
        model_.initial_speeds.push_back({joint.name, static_cast<int>(i), (*values)[i]});
  }
}

void ModelBuilder::read_link_twist(const Item& item, const std::string& link) {
  if (item.node->kind != Node::Kind::map) {
    reader_.complain(item, fmt::format("'{}' is a link; expected its twist: {{velocity: [x, y, z], angular: [x, y, "
                                       "z]}}, ground axes",
                                       link));
    return;
  }
  const auto object = reader_.object(item, "twist");
  if (!object) return;
  InitialTwist twist{link, std::nullopt, std::nullopt};
  if (const auto velocity = object->get("velocity")) twist.velocity = reader_.point(*velocity);
  if (const auto angular = object->get("angular")) twist.angular = reader_.point(*angular);
  model_.initial_twists.push_back(twist);
}

}  // namespace lithe::io
