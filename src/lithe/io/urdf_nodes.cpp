#include "lithe/io/urdf_nodes.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

Node rounded_vector(const Vec3& v, const Place& place) {
  return list_node({rounded_node(v.x(), place), rounded_node(v.y(), place), rounded_node(v.z(), place)}, place);
}

/// x, -z, ... where the axis is one of these, else the vector.
Node axis_node(const Vec3& axis, const Place& place) {
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      if (axis.normalized() == Vec3(sign * Vec3::Unit(k)))
        return scalar_node(std::string(sign < 0 ? "-" : "") + "xyz"[k], place);
  return vector_node(axis, place);
}

}  // namespace

Node vector_node(const Vec3& v, const Place& place) {
  return list_node({number_node(v.x(), place), number_node(v.y(), place), number_node(v.z(), place)}, place);
}

Node frame_node(const UrdfOrigin& origin, const Pose& link, const Place& place) {
  const bool is_direct = link.position.isZero(0.0) && link.rotation.isIdentity(0.0);
  if (is_direct && origin.rpy && origin.rpy->isZero(0.0)) return vector_node(origin.position, place);
  std::vector<Entry> entries;
  const Pose pose = link * origin.pose();
  entries.push_back(
      {"at", place, is_direct ? vector_node(origin.position, place) : rounded_vector(pose.position, place)});
  if (is_direct && origin.rpy) {
    // Roll, pitch, yaw about fixed axes are yaw, pitch, roll about axes that turn along.
    std::vector<Node> turns;
    for (const int k : {2, 1, 0}) {
      const double angle = (*origin.rpy)[k];
      if (angle == 0.0) continue;
      turns.push_back(map_node(
          {{"axis", place, scalar_node(std::string(1, "xyz"[k]), place)}, {"angle", place, number_node(angle, place)}},
          place));
    }
    entries.push_back({"rotate", place, turns.size() == 1 ? turns[0] : list_node(std::move(turns), place)});
  } else if (!pose.rotation.isIdentity(0.0)) {
    const Quat q(pose.rotation);
    std::vector<Node> parts;
    for (const double part : {q.w(), q.x(), q.y(), q.z()}) parts.push_back(rounded_node(part, place));
    entries.push_back({"quaternion", place, list_node(std::move(parts), place)});
  }
  return map_node(std::move(entries), place);
}

Node rigid_node(const UrdfLink& link) {
  const Place& place = link.has_inertial ? link.inertial_place : link.place;
  std::vector<Entry> entries{{"mass", place, number_node(link.mass, place)}};
  if (!link.centre.isZero(0.0)) entries.push_back({"centre", place, vector_node(link.centre, place)});
  if (!link.inertia.isZero(0.0)) {
    // The turn of the inertial frame leaves rounding errors where there is nothing.
    const double dust = 1e-15 * link.inertia.cwiseAbs().maxCoeff();
    const auto element = [&](int i, int k) {
      const double value = link.inertia(i, k);
      return rounded_node(std::abs(value) > dust ? value : 0.0, place);
    };
    std::vector<Node> items{element(0, 0), element(1, 1), element(2, 2)};
    const std::vector<Node> off{element(0, 1), element(0, 2), element(1, 2)};
    if (std::any_of(off.begin(), off.end(), [](const Node& n) { return n.text != "0"; }))
      items.insert(items.end(), off.begin(), off.end());
    entries.push_back({"inertia", place, list_node(std::move(items), place)});
  }
  if (link.accepts_inertia) entries.push_back({"accept-inertia", place, scalar_node("true", place)});
  return map_node(std::move(entries), place);
}

Entry type_entry(UrdfJoint::Type type, const Vec3& axis, const Place& place) {
  const auto yes = [&](const char* key) { return Entry{key, place, scalar_node("true", place)}; };
  switch (type) {
    case UrdfJoint::Type::revolute:
    case UrdfJoint::Type::continuous:
      return {"revolute", place, axis_node(axis, place)};
    case UrdfJoint::Type::prismatic:
      return {"prismatic", place, axis_node(axis, place)};
    case UrdfJoint::Type::planar:
      return {"planar", place, axis_node(axis, place)};
    case UrdfJoint::Type::floating:
      return yes("free");
    case UrdfJoint::Type::spherical:
      return yes("spherical");
    case UrdfJoint::Type::fixed:
      break;
  }
  return yes("fixed");
}

Node spring_node(const UrdfJoint& joint) {
  const Place& place = joint.place;
  std::vector<Entry> entries{{"stiffness", place, number_node(joint.stiffness, place)}};
  if (joint.rest != 0.0) entries.push_back({"rest", place, rounded_node(joint.rest, place)});
  return map_node(std::move(entries), place);
}

Node motor_node(const UrdfGear& gear, const Place& place) {
  std::vector<Entry> entries{{"ratio", place, number_node(gear.ratio, place)}};
  if (gear.rotor != 0.0) entries.push_back({"rotor", place, number_node(gear.rotor, place)});
  return map_node(std::move(entries), place);
}

std::string joint_comment(const UrdfJoint& joint, const std::string& format) {
  std::string text = fmt::format("{} line {}", format, joint.place.line);
  if (joint.type == UrdfJoint::Type::continuous) text += "; continuous";
  if (!joint.limits) return text;
  const bool slides = joint.type == UrdfJoint::Type::prismatic;
  const char *unit = slides ? "m" : "rad", *effort = slides ? "N" : "N m";
  const UrdfJoint::Limits& limits = *joint.limits;
  if (joint.type != UrdfJoint::Type::continuous && (limits.lower || limits.upper))
    text += fmt::format("; limits {} to {} {}", limits.lower.value_or(0.0), limits.upper.value_or(0.0), unit);
  std::vector<std::string> most;
  if (limits.effort) most.push_back(fmt::format("{} {}", *limits.effort, effort));
  if (limits.velocity) most.push_back(fmt::format("{} {}/s", *limits.velocity, unit));
  return most.empty() ? text : text + fmt::format("; at most {}", fmt::join(most, ", "));
}

}  // namespace lithe::io
