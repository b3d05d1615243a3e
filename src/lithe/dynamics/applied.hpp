#pragma once
// What acts on the links from outside the joints, at the current motion: point springs, load ports and line loads.

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe::detail {

template <class T>
struct SpringState {
  Vector3Of<T> a, b;  ///< ends, ground axes
  T length = 0.0;     ///< m
  T rate = 0.0;       ///< m/s
  Vector3Of<T> pull;  ///< force on end a; end b feels the opposite. Zero when the ends coincide: no direction
};

/// Needs world poses and node velocities.
template <class S>
SpringState<typename S::Number> spring_state(const Kernel<S>& k, const PointSpring& spring) {
  using T = typename S::Number;
  SpringState<T> s;
  s.a = frame_pose(k, spring.a).position;
  s.b = frame_pose(k, spring.b).position;
  s.length = (s.b - s.a).norm();
  const Vector3Of<T> along = (s.b - s.a) * inverse_or_zero(s.length);
  s.rate = along.dot(frame_motion(k, spring.b).velocity - frame_motion(k, spring.a).velocity);
  s.pull = along * (spring.stiffness * (s.length - spring.rest) + spring.damping * s.rate);
  return s;
}

/// Where a load acts and what it is in ground axes. Needs world poses.
template <class T>
struct AppliedLoad {
  Vector3Of<T> point, force, moment;
};

template <class S>
AppliedLoad<typename S::Number> applied_load(const Kernel<S>& k, const LoadPort& port, const Wrench& value) {
  using T = typename S::Number;
  const PoseOf<T> at = frame_pose(k, port.at);
  const auto& force = lift<T>(value.force);
  const auto& moment = lift<T>(value.moment);
  if (!port.in_frame_axes) return {at.position, force, moment};
  return {at.position, at.rotation * force, at.rotation * moment};
}

/// A line load on one link: `visit(integral, force)` for the part that is the same all along and, when there is one,
/// for the part that grows towards the end; force per length in link axes. `axes`: those of the link in ground axes.
template <class T, class Visit>
void visit_line(const LineSpread& line, const LineForce& value, const Matrix3Of<T>& axes, Visit&& visit) {
  const auto local = [&](const Vec3& constant) -> Vector3Of<T> {
    const Vector3Of<T> force = lift<T>(constant);
    return line.in_link_axes ? force : Vector3Of<T>(axes.transpose() * force);
  };
  visit(line.whole, local(value.start));
  if (value.end != value.start) visit(line.ramp, local(value.end - value.start));
}

/// Resultant of a line load in ground axes, at the link origin `point`. Needs world poses.
template <class S>
AppliedLoad<typename S::Number> applied_line(const Kernel<S>& k, const LineSpread& line, const LineForce& value) {
  using T = typename S::Number;
  const LinkPlace& place = k.compiled.links[line.link];
  const PoseOf<T> link = node_pose(k, place.node) * lift_pose<T>(place.pose);
  const Eigen::Ref<const VectorOf<T>> eta = elastic_part(k, line.link);
  Vector3Of<T> force = Vector3Of<T>::Zero(), moment = Vector3Of<T>::Zero();
  visit_line(line, value, link.rotation, [&](const LineIntegral& integral, const Vector3Of<T>& per_length) {
    Vector3Of<T> arm = lift<T>(integral.moment);
    if (eta.size() > 0) arm += combine(integral.shape, eta);
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
  using T = typename S::Number;
  const LinkPlace& place = k.compiled.links[line.link];
  const Eigen::Ref<const VectorOf<T>> eta = elastic_part(k, line.link);
  if (eta.size() == 0) return;
  const Matrix3Of<T> axes = (node_pose(k, place.node) * lift_pose<T>(place.pose)).rotation;
  visit_line(line, value, axes, [&](const LineIntegral& integral, const Vector3Of<T>& per_length) {
    for (Eigen::Index j = 0; j < eta.size(); ++j) {
      T force = lift<T>(Vec3(integral.shape.col(j))).dot(per_length);
      for (int a = 0; a < 3 && line.shortens; ++a)
        if (integral.foreshortening[a].size() > 0)
          force -= per_length[a] * column_product(integral.foreshortening[a], j, eta);
      add(j, force);
    }
  });
}

}  // namespace lithe::detail
