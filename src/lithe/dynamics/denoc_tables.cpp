#include "lithe/dynamics/denoc_tables.hpp"

namespace lithe::detail {

namespace {

/// Columns that span the axes of a node in which the arithmetic works, in spatial node axes.
template <class S>
Mat3 arithmetic_axes(const Compiled& compiled, int node) {
  if constexpr (S::planar) {
    return node < 0 ? compiled.plane_axes : compiled.lifts[node].axes;
  } else {
    return Mat3::Identity();
  }
}

template <class S>
typename S::Angular angular_on_node(const Compiled& compiled, int node, const Vec3& x) {
  if constexpr (S::planar) {
    return arithmetic_axes<S>(compiled, node).col(2).dot(x);
  } else {
    return x;
  }
}

}  // namespace

template <class S>
typename S::Linear linear_on_node(const Compiled& compiled, int node, const Vec3& x) {
  return (arithmetic_axes<S>(compiled, node).transpose() * x).template head<S::linear_size>();
}

template <class S>
typename S::Linear centre_on_node(const Compiled& compiled, int link) {
  const LinkPlace& place = compiled.links[link];
  return linear_on_node<S>(compiled, place.node, place.pose * compiled.mechanism.links[link].centre);
}

template <class S>
void append_body(const Compiled& compiled, const LegStep& step, double part, std::vector<LegColumn<S>>& columns,
                 std::vector<LegBody<S>>& bodies) {
  const Joint& joint = compiled.mechanism.joints[step.joint];
  const JointPlace& speeds = compiled.places[step.joint];
  const auto frame_pose = [&compiled](FrameRef ref) {
    return compiled.links[ref.link].pose * compiled.mechanism.links[ref.link].frames[ref.frame].pose;
  };
  const auto node_of = [&compiled](int link) { return compiled.links[link].node; };

  LegBody<S> body;
  body.first = static_cast<int>(columns.size());
  body.to_node = node_of(joint.to.link);
  body.to_origin = linear_on_node<S>(compiled, body.to_node, frame_pose(joint.to).position);
  body.to_outboard = !step.reversed;
  const int first_speed = speeds.cut ? compiled.nv + speeds.v : speeds.v;
  for (int k = 0; k < speeds.nv; ++k) {
    const JointSpeed& freedom = joint.facts().speed[k];
    LegColumn<S> column;
    column.speed = first_speed + k;
    if (!joint.armature.empty()) column.armature = joint.armature[k];
    column.turning = !freedom.is_distance();
    column.turns_with_outboard = freedom.in_to_frame == body.to_outboard;
    const FrameRef owner = freedom.in_to_frame ? joint.to : joint.from;
    column.node = node_of(owner.link);
    column.sense = step.reversed ? -1.0 : 1.0;
    const Vec3 axis = frame_pose(owner).rotation * joint.direction_of(freedom);
    if (column.turning) {
      column.turn = angular_on_node<S>(compiled, column.node, axis);
    } else {
      column.slide = linear_on_node<S>(compiled, column.node, axis);
    }
    columns.push_back(column);
  }
  body.count = static_cast<int>(columns.size()) - body.first;

  const LinkData& link = compiled.mechanism.links[step.link];
  body.node = node_of(step.link);
  body.mass = part * link.mass;
  body.centre = centre_on_node<S>(compiled, step.link);
  const Mat3 turned = compiled.links[step.link].pose.rotation;
  const Mat3 about_centre = part * turned * link.inertia * turned.transpose();
  if constexpr (S::planar) {
    const Vec3 normal = arithmetic_axes<S>(compiled, body.node).col(2);
    body.inertia = normal.dot(about_centre * normal);
  } else {
    body.inertia = about_centre;
  }
  bodies.push_back(body);
}

template Spatial::Linear centre_on_node<Spatial>(const Compiled&, int);
template Planar::Linear centre_on_node<Planar>(const Compiled&, int);
template Spatial::Linear linear_on_node<Spatial>(const Compiled&, int, const Vec3&);
template Planar::Linear linear_on_node<Planar>(const Compiled&, int, const Vec3&);
template void append_body(const Compiled&, const LegStep&, double, std::vector<LegColumn<Spatial>>&,
                          std::vector<LegBody<Spatial>>&);
template void append_body(const Compiled&, const LegStep&, double, std::vector<LegColumn<Planar>>&,
                          std::vector<LegBody<Planar>>&);

}  // namespace lithe::detail
