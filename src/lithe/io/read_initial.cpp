// initial, speeds: joint coordinates and speeds at the start.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Coordinates that may be given one by one: all but quaternions.
int scalar_count(JointType type) {
  if (type == JointType::spherical) return 0;
  return type == JointType::free ? 3 : position_count(type);
}

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
    static const Joint pose_of_platform = [] {
      Joint joint;
      joint.name = "platform";
      joint.type = JointType::free;
      return joint;
    }();
    if (model_.plan.coordinates == Coordinates::cartesian && name == model_.plan.platform + ".free")
      return &pose_of_platform;
    const int index = model_.mechanism.find_joint(name);
    return index < 0 ? nullptr : &model_.mechanism.joints[static_cast<std::size_t>(index)];
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
    if (joints_known_)
      reader_.complain_key(named.item, fmt::format("unknown joint '{}'{}", name, hint(name, joint_names())));
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

bool ModelBuilder::read_elastic_value(const NamedItem& named, std::vector<ElasticValue>& values) {
  const std::size_t dot = named.name.rfind(".e");
  if (dot == std::string::npos || model_.mechanism.find_joint(named.name) >= 0) return false;
  const std::string name = named.name.substr(0, dot);
  const int link = model_.mechanism.find_link(name);
  int number = 0;
  const char *begin = named.name.data() + dot + 2, *end = named.name.data() + named.name.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (link <= 0 || error != std::errc{} || stop != end) return false;
  const int count = model_.mechanism.links[static_cast<std::size_t>(link)].elastic.count();
  if (number < 1 || number > count) {
    reader_.complain_key(
        named.item,
        count == 0 ? fmt::format("the link '{}' is rigid; it has no elastic coordinate", name)
                   : fmt::format("the link '{}' has the elastic coordinates {}.e1 to {}.e{}", name, name, name, count));
    return true;
  }
  Item scalar = named.item;
  scalar.type = "number";
  if (const auto value = reader_.number(scalar)) values.push_back({name, number - 1, *value});
  return true;
}

void ModelBuilder::read_initial(const Object& root) {
  const auto item = root.get("initial");
  const auto entries = item ? reader_.map(*item) : std::nullopt;
  if (!entries) return;
  for (const NamedItem& named : *entries) {
    if (read_elastic_value(named, model_.initial_elastic)) continue;
    const auto target = joint_coordinate(named, scalar_count);
    if (!target) continue;
    const Joint& joint = *target->joint;
    if (target->coordinate) {
      Item scalar = named.item;
      scalar.type = "number";
      const std::string name = named.name.substr(0, named.name.rfind('.'));
      if (const auto value = reader_.number(scalar)) model_.initial.push_back({name, *target->coordinate, *value});
      continue;
    }
    const auto count = static_cast<std::size_t>(position_count(joint.type));
    const auto put = [&](const std::vector<double>& values, std::size_t first = 0) {
      for (std::size_t i = 0; i < values.size(); ++i)
        model_.initial.push_back({joint.name, static_cast<int>(first + i), values[i]});
    };
    const bool has_rotation = joint.type == JointType::spherical || joint.type == JointType::free;
    Item plain = named.item;
    plain.type = "list of number";
    const bool is_list = named.item.node->kind == Node::Kind::list;
    if (has_rotation && named.item.node->kind == Node::Kind::map) {
      read_initial_pose(named.item, joint);
    } else if (has_rotation && !is_list) {
      reader_.complain(named.item, joint.type == JointType::free
                                       ? "expected [x, y, z] or {position: ..., axis: ..., angle: ...}"
                                       : "expected [w, x, y, z] or {axis: ..., angle: ...}");
    } else if (count > 1 && !is_list) {
      complain_scalar(named.item, count, "coordinate", reader_);
    } else if (!is_list) {
      plain.type = "number";
      if (const auto value = reader_.number(plain)) put({*value});
    } else if (joint.type == JointType::spherical) {
      if (const auto q = reader_.quaternion(plain)) put({q->w(), q->x(), q->y(), q->z()});
    } else if (joint.type == JointType::free) {
      if (const auto position = reader_.numbers(plain, 3, 3)) put(*position);
    } else if (const auto values = reader_.numbers(plain, count, count)) {
      put(*values);
    }
  }
}

void ModelBuilder::read_initial_pose(const Item& item, const Joint& joint) {
  const auto object = reader_.object(item, "pose");
  if (!object) return;
  int first = 0;
  const auto position = object->get("position");
  if (joint.type == JointType::free) {
    first = 3;
    if (position)
      if (const auto p = reader_.point(*position))
        for (int i = 0; i < 3; ++i) model_.initial.push_back({joint.name, i, (*p)[i]});
  } else if (position) {
    reader_.complain_key(*position, "a spherical joint only turns; leave the position out");
  }
  const auto axis = object->get("axis"), angle = object->get("angle"), quaternion = object->get("quaternion");
  if (axis.has_value() != angle.has_value()) reader_.complain_key(axis ? *axis : *angle, "axis and angle go together");
  if (axis && quaternion) reader_.complain_key(*quaternion, "give either axis and angle or quaternion");
  std::optional<Quat> rotation;
  if (quaternion) rotation = reader_.quaternion(*quaternion);
  const auto direction = axis ? reader_.axis(*axis) : std::nullopt;
  const auto turned = angle ? reader_.number(*angle) : std::nullopt;
  if (direction && turned) rotation = Quat(Eigen::AngleAxisd(*turned, *direction));
  if (!rotation) return;
  const double parts[] = {rotation->w(), rotation->x(), rotation->y(), rotation->z()};
  for (int i = 0; i < 4; ++i) model_.initial.push_back({joint.name, first + i, parts[i]});
}

void ModelBuilder::read_speeds(const Object& root) {
  const auto item = root.get("speeds");
  const auto entries = item ? reader_.map(*item) : std::nullopt;
  if (!entries) return;
  for (const NamedItem& named : *entries) {
    if (read_elastic_value(named, model_.initial_elastic_speeds)) continue;
    const auto target = joint_coordinate(named, speed_count);
    if (!target) continue;
    const Joint& joint = *target->joint;
    const auto count = static_cast<std::size_t>(speed_count(joint.type));
    Item plain = named.item;
    if (target->coordinate) {
      plain.type = "number";
      const std::string name = named.name.substr(0, named.name.rfind('.'));
      if (const auto value = reader_.number(plain))
        model_.initial_speeds.push_back({name, *target->coordinate, *value});
    } else if (named.item.node->kind != Node::Kind::list && count == 1) {
      if (const auto value = reader_.number(plain)) model_.initial_speeds.push_back({joint.name, 0, *value});
    } else if (named.item.node->kind != Node::Kind::list) {
      complain_scalar(named.item, count, "speed", reader_);
    } else {
      plain.type = "list of number";
      if (const auto values = reader_.numbers(plain, count, count))
        for (std::size_t i = 0; i < count; ++i)
          model_.initial_speeds.push_back({joint.name, static_cast<int>(i), (*values)[i]});
    }
  }
}

}  // namespace lithe::io
