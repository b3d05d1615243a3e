#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

template <class S>
void move(Kernel<S>& k, const State& state) {
  update_positions(k, state.q);
  update_world(k);
  update_motion(k, state.v, nullptr);
}

double spring_energy(const PassiveForces& passive, const VectorX& q) {
  double sum = 0.0;
  for (const ScalarSpring& spring : passive.scalars) {
    const double stretch = q[spring.q] - spring.rest;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  for (const RotationSpring& spring : passive.rotations) {
    const double* x = q.data() + spring.q;
    const Vec3 angle = vector_from_rotation(Quat(x[0], x[1], x[2], x[3]).normalized().toRotationMatrix());
    sum += 0.5 * spring.stiffness * angle.squaredNorm();
  }
  return sum;
}

double damper_power(const PassiveForces& passive, const VectorX& v) {
  double sum = 0.0;
  for (const ScalarSpring& spring : passive.scalars) sum += spring.damping * v[spring.v] * v[spring.v];
  for (const RotationSpring& spring : passive.rotations) sum += spring.damping.dot(v.segment<3>(spring.v).cwiseAbs2());
  return sum;
}

/// Length and rate of a point spring.
template <class S>
std::pair<double, double> stretch(const Kernel<S>& k, const PointSpring& spring) {
  const auto point = [&](FrameRef ref) { return frame_pose(k, ref).position; };
  const auto velocity = [&](FrameRef ref) -> Vec3 {
    const int node = k.compiled.links[ref.link].node;
    const NodeMotion m = node_motion(k, node);
    return m.velocity + m.omega.cross(point(ref) - node_pose(k, node).position);
  };
  const Vec3 r = point(spring.b) - point(spring.a);
  const double length = r.norm();
  if (length == 0.0) return {0.0, 0.0};
  return {length, r.dot(velocity(spring.b) - velocity(spring.a)) / length};
}

template <class S>
double kinetic_energy(const Kernel<S>& k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    const NodeState<S>& s = k.nodes[i];
    sum += 0.5 * node.mass * s.velocity.squaredNorm() + s.velocity.dot(S::spin(s.omega, node.first)) +
           0.5 * S::dot(s.omega, S::times(node.second, s.omega));
  }
  return sum;
}

}  // namespace

Energy energy(const Plan& plan, Workspace& work, const State& state) {
  const Compiled& c = plan.compiled();
  return with_kernel(work, [&](auto& k) {
    move(k, state);
    Energy result;
    result.kinetic = kinetic_energy(k);
    for (std::size_t i = 1; i < c.links.size(); ++i) {
      const LinkPlace& place = c.links[i];
      const Vec3 centre = node_pose(k, place.node) * (place.pose * c.mechanism.links[i].centre);
      result.potential -= c.mechanism.links[i].mass * c.mechanism.gravity.dot(centre);
    }
    result.potential += spring_energy(c.tree_passive, state.q);
    if (!c.cut_passive.empty()) {
      cut_coordinates_from_world(k, work.scratch().cut_q);
      result.potential += spring_energy(c.cut_passive, work.scratch().cut_q);
    }
    for (const PointSpring& spring : c.mechanism.springs) {
      const double extension = stretch(k, spring).first - spring.rest;
      result.potential += 0.5 * spring.stiffness * extension * extension;
    }
    return result;
  });
}

double dissipated_power(const Plan& plan, Workspace& work, const State& state) {
  const Compiled& c = plan.compiled();
  double power = damper_power(c.tree_passive, state.v);
  if (c.cut_passive.empty() && c.mechanism.springs.empty()) return power;
  with_kernel(work, [&](auto& k) {
    move(k, state);
    if (!c.cut_passive.empty()) {
      cut_speeds_from_motion(k, work.scratch().cut_v);
      power += damper_power(c.cut_passive, work.scratch().cut_v);
    }
    for (const PointSpring& spring : c.mechanism.springs) {
      const double rate = stretch(k, spring).second;
      power += spring.damping * rate * rate;
    }
  });
  return power;
}

double supplied_power(const Plan& plan, Workspace& work, const State& state, const Actions& actions) {
  const Compiled& c = plan.compiled();
  double power = actions.tau.head(c.nv).dot(state.v);
  if (c.cut_nv == 0 && c.mechanism.loads.empty()) return power;
  with_kernel(work, [&](auto& k) {
    move(k, state);
    if (c.cut_nv > 0) {
      cut_speeds_from_motion(k, work.scratch().cut_v);
      power += actions.tau.tail(c.cut_nv).dot(work.scratch().cut_v);
    }
    for (std::size_t i = 0; i < c.mechanism.loads.size(); ++i) {
      const LoadPort& port = c.mechanism.loads[i];
      const Pose at = frame_pose(k, port.at);
      const int node = c.links[port.at.link].node;
      const NodeMotion m = node_motion(k, node);
      const Vec3 velocity = m.velocity + m.omega.cross(at.position - node_pose(k, node).position);
      const Mat3 axes = port.in_frame_axes ? at.rotation : Mat3(Mat3::Identity());
      power += (axes * actions.loads[i].force).dot(velocity) + (axes * actions.loads[i].moment).dot(m.omega);
    }
  });
  return power;
}

}  // namespace lithe
