#include "lithe/io/places.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

namespace lithe::io {

Mat3 read_rotation(const Object& frame, Reader& reader) {
  Mat3 rotation = Mat3::Identity();
  const auto rotate = frame.get("rotate"), quaternion = frame.get("quaternion");
  if (rotate && quaternion) reader.complain_key(*quaternion, "give either rotate or quaternion");
  if (quaternion) rotation = reader.quaternion(*quaternion).value_or(Quat::Identity()).toRotationMatrix();
  if (!rotate) return rotation;
  std::vector<Item> turns{*rotate};
  if (rotate->node->kind == Node::Kind::list) turns = reader.list(*rotate).value_or(std::vector<Item>{});
  for (const Item& each : turns) {
    const auto turn = reader.object(each, "turn");
    if (!turn) continue;
    const auto axis_item = turn->get("axis"), angle_item = turn->get("angle");
    const auto axis = axis_item ? reader.axis(*axis_item) : std::nullopt;
    const auto angle = angle_item ? reader.number(*angle_item) : std::nullopt;
    if (axis && angle) rotation = rotation * Eigen::AngleAxisd(*angle, *axis).toRotationMatrix();
  }
  return rotation;
}

std::optional<Pose> read_pose(const Item& item, Reader& reader) {
  Pose pose;
  if (item.node->kind != Node::Kind::map) {
    const auto position = reader.point(item);
    if (!position) return std::nullopt;
    pose.position = *position;
    return pose;
  }
  const auto object = reader.object(item, "frame-pose");
  if (!object) return std::nullopt;
  if (const auto at = object->get("at")) pose.position = reader.point(*at).value_or(Vec3::Zero());
  pose.rotation = read_rotation(*object, reader);
  return pose;
}

std::optional<Mat3> read_inertia(const Item& item, Reader& reader) {
  const bool has_rows =
      item.node->kind == Node::Kind::list && !item.node->items.empty() && item.node->items[0].kind == Node::Kind::list;
  if (has_rows) {
    Item rows = item;
    rows.type = "list of list of number";
    const auto list = reader.list(rows, 3, 3);
    if (!list) return std::nullopt;
    Mat3 inertia;
    for (int i = 0; i < 3; ++i) {
      const auto row = reader.numbers((*list)[i], 3, 3);
      if (!row) return std::nullopt;
      for (int j = 0; j < 3; ++j) inertia(i, j) = (*row)[j];
    }
    return inertia;
  }
  const std::size_t size = item.node->items.size();
  if (item.node->kind != Node::Kind::list || (size != 3 && size != 6)) {
    reader.complain(item, fmt::format("expected [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or three rows, but {}",
                                      item.node->kind == Node::Kind::list ? fmt::format("the list has {} entries", size)
                                                                          : "this is " + describe(*item.node)));
    return std::nullopt;
  }
  const auto n = reader.numbers(item, size, size);
  if (!n) return std::nullopt;
  Mat3 inertia = Vec3((*n)[0], (*n)[1], (*n)[2]).asDiagonal();
  if (size == 6) {
    inertia(0, 1) = inertia(1, 0) = (*n)[3];
    inertia(0, 2) = inertia(2, 0) = (*n)[4];
    inertia(1, 2) = inertia(2, 1) = (*n)[5];
  }
  return inertia;
}

}  // namespace lithe::io
