#pragma once
// What acts on the links from outside the joints, at the current motion: point springs, load ports and line loads.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe::detail {

struct SpringState {
  Vec3 a, b;            ///< ends, ground axes
  double length = 0.0;  ///< m
  double rate = 0.0;    ///< m/s
  Vec3 pull;            ///< force on end a; end b feels the opposite. Zero when the ends coincide: no direction
};

/// Needs world poses and node velocities.
template <class S>
SpringState spring_state(const Kernel<S>& k, const PointSpring& spring) {
  SpringState s;
  s.a = frame_pose(k, spring.a).position;
  s.b = frame_pose(k, spring.b).position;
  s.pull.setZero();
  s.length = (s.b - s.a).norm();
  if (s.length == 0.0) return s;
  const Vec3 along = (s.b - s.a) / s.length;
  s.rate = along.dot(frame_motion(k, spring.b).velocity - frame_motion(k, spring.a).velocity);
  s.pull = along * (spring.stiffness * (s.length - spring.rest) + spring.damping * s.rate);
  return s;
}

/// Where a load acts and what it is in ground axes. Needs world poses.
struct AppliedLoad {
  Vec3 point, force, moment;
};

template <class S>
AppliedLoad applied_load(const Kernel<S>& k, const LoadPort& port, const Wrench& value) {
  const Pose at = frame_pose(k, port.at);
  if (!port.in_frame_axes) return {at.position, value.force, value.moment};
  return {at.position, at.rotation * value.force, at.rotation * value.moment};
}

/// A line load on one link: `visit(integral, force)` for the part that is the same all along and, when there is one,
/// for the part that grows towards the end; force per length in link axes. `axes`: those of the link in ground axes.
template <class Visit>
void visit_line(const LineSpread& line, const LineForce& value, const Mat3& axes, Visit&& visit) {
  const auto local = [&](const Vec3& force) -> Vec3 { return line.in_link_axes ? force : axes.transpose() * force; };
  visit(line.whole, local(value.start));
  if (value.end != value.start) visit(line.ramp, local(value.end - value.start));
}

/// Resultant of a line load in ground axes, at the link origin `point`. Needs world poses.
template <class S>
AppliedLoad applied_line(const Kernel<S>& k, const LineSpread& line, const LineForce& value) {
  const LinkPlace& place = k.compiled.links[line.link];
  const Pose link = node_pose(k, place.node) * place.pose;
  const Eigen::Ref<const VectorX> eta = elastic_part(k, line.link);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  visit_line(line, value, link.rotation, [&](const LineIntegral& integral, const Vec3& per_length) {
    Vec3 arm = integral.moment;
    if (eta.size() > 0) arm += integral.shape * eta;
    for (int a = 0; a < 3 && line.shortens; ++a)
      if (integral.foreshortening[a].size() > 0) arm[a] -= 0.5 * quadratic_form(integral.foreshortening[a], eta);
    force += integral.length * per_length;
    moment += arm.cross(per_length);
  });
  return {link.position, link.rotation * force, link.rotation * moment};
}

/// `add(j, force)`: what a line load does on each elastic coordinate of its link; may come twice for one of them.
template <class S, class Add>
void each_elastic_force(const Kernel<S>& k, const LineSpread& line, const LineForce& value, Add&& add) {
  const LinkPlace& place = k.compiled.links[line.link];
  const Eigen::Ref<const VectorX> eta = elastic_part(k, line.link);
  if (eta.size() == 0) return;
  const Mat3 axes = node_pose(k, place.node).rotation * place.pose.rotation;
  visit_line(line, value, axes, [&](const LineIntegral& integral, const Vec3& per_length) {
    for (Eigen::Index j = 0; j < eta.size(); ++j) {
      double force = integral.shape.col(j).dot(per_length);
      for (int a = 0; a < 3 && line.shortens; ++a)
        if (integral.foreshortening[a].size() > 0) force -= per_length[a] * integral.foreshortening[a].col(j).dot(eta);
      add(j, force);
    }
  });
}

}  // namespace lithe::detail
