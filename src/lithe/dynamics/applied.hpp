#pragma once
// What acts on the links from outside the joints, at the current motion: point springs and load ports.

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

}  // namespace lithe::detail
