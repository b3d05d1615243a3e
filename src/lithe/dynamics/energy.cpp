#include "lithe/dynamics/applied.hpp"
#include "lithe/dynamics/elastic_body.hpp"
#include "lithe/dynamics/elements.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/closures.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

template <class S>
void move(Kernel<S>& k, const State& state) {
  update_positions(k, state.q);
  update_world(k);
  update_velocities(k, state.v);
  update_bodies(k);
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

double stored_energy(const PointSpring& spring, double length) {
  return 0.5 * spring.stiffness * (length - spring.rest) * (length - spring.rest);
}

double damper_power(const PassiveForces& passive, const VectorX& v) {
  double sum = 0.0;
  for (const ScalarSpring& spring : passive.scalars) sum += spring.damping * v[spring.v] * v[spring.v];
  for (const RotationSpring& spring : passive.rotations) sum += spring.damping.dot(v.segment<3>(spring.v).cwiseAbs2());
  const std::vector<int>& damped = passive.coupled.speeds;
  for (std::size_t j = 0; j < damped.size(); ++j)
    for (std::size_t i = 0; i < damped.size(); ++i)
      sum += v[damped[i]] * passive.coupled.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) *
             v[damped[j]];
  return sum;
}

/// Change of the first moment of mass by the deformation, link axes.
Vec3 first_moment_growth(const LinkData& link, const Eigen::Ref<const VectorX>& eta) {
  Vec3 growth = Vec3::Zero();
  if (eta.size() == 0) return growth;
  growth = link.elastic.translation * eta;
  if (link.elastic.stiffening == Stiffening::consistent)
    for (int a = 0; a < 3; ++a) growth[a] -= 0.5 * quadratic_form(link.elastic.foreshortening[a], eta);
  return growth;
}

template <class S>
double kinetic_energy(const Kernel<S>& k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    const NodeState<S>& s = k.nodes[i];
    if (node.kind == NodeKind::elastic) {
      sum += elastic_kinetic_energy(k, node.body);
      continue;
    }
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
    for (const Armature& armature : c.armatures)
      result.kinetic += 0.5 * armature.inertia * state.v[armature.v] * state.v[armature.v];
    const bool has_weight = !c.mechanism.gravity.isZero(0.0);
    for (std::size_t i = 1; i < c.links.size() && has_weight; ++i) {
      const LinkPlace& place = c.links[i];
      const LinkData& link = c.mechanism.links[i];
      const Vec3 moment = link.mass * link.centre + first_moment_growth(link, elastic_part(k, static_cast<int>(i)));
      const Pose pose = node_pose(k, place.node) * place.pose;
      result.gravity -= c.mechanism.gravity.dot(link.mass * pose.position + pose.rotation * moment);
    }
    for (const auto& body : k.tables.bodies)
      result.strain += 0.5 * quadratic_form(body.stiffness, state.q.segment(body.q, body.count));
    result.springs = spring_energy(c.tree_passive, state.q);
    if (!c.cut_passive.empty()) {
      VectorX& cut_q = cut_joints(k).q;
      cut_coordinates_from_world(k, cut_q);
      result.springs += spring_energy(c.cut_passive, cut_q);
    }
    for (const PointSpring& spring : c.mechanism.springs)
      result.springs += stored_energy(spring, spring_state(k, spring).length);
    if (!c.mechanism.elements.empty()) result.elements = element_activity(plan, work, state).stored;
    result.potential = result.gravity + result.springs + result.strain + result.elements;
    return result;
  });
}

SpringMotion spring_motion(const Plan& plan, Workspace& work, const State& state, int index) {
  const PointSpring& spring = plan.mechanism().springs[index];
  return with_kernel(work, [&](auto& k) -> SpringMotion {
    move(k, state);
    const SpringState<double> s = spring_state(k, spring);
    return {s.length, spring.stiffness * (s.length - spring.rest) + spring.damping * s.rate,
            stored_energy(spring, s.length)};
  });
}

double dissipated_power(const Plan& plan, Workspace& work, const State& state) {
  const Compiled& c = plan.compiled();
  double power = damper_power(c.tree_passive, state.v);
  for (const ElasticBody<Spatial>& body : c.spatial.bodies)
    power += quadratic_form(body.damping, state.v.segment(body.v, body.count));
  if (has_elements(plan)) power += element_activity(plan, work, state).lost;
  if (c.cut_passive.empty() && c.mechanism.springs.empty()) return power;
  with_kernel(work, [&](auto& k) {
    move(k, state);
    if (!c.cut_passive.empty()) {
      VectorX& cut_v = cut_joints(k).v;
      cut_speeds_from_motion(k, cut_v);
      power += damper_power(c.cut_passive, cut_v);
    }
    for (const PointSpring& spring : c.mechanism.springs) {
      const double rate = spring_state(k, spring).rate;
      power += spring.damping * rate * rate;
    }
  });
  return power;
}

double supplied_power(const Plan& plan, Workspace& work, const State& state, const Actions& actions) {
  const Compiled& c = plan.compiled();
  double power = actions.tau.head(c.nv).dot(state.v);
  if (has_elements(plan)) power += element_activity(plan, work, state).supplied;
  if (c.cut_nv == 0 && c.own_loads == 0 && c.lines.empty()) return power;
  with_kernel(work, [&](auto& k) {
    move(k, state);
    if (c.cut_nv > 0) {
      VectorX& cut_v = cut_joints(k).v;
      cut_speeds_from_motion(k, cut_v);
      power += actions.tau.tail(c.cut_nv).dot(cut_v);
    }
    for (int i = 0; i < c.own_loads; ++i) {
      const LoadPort& port = c.mechanism.loads[i];
      const AppliedLoad<double> load = applied_load(k, port, actions.loads[i]);
      const NodeMotion m = frame_motion(k, port.at);
      power += load.force.dot(m.velocity) + load.moment.dot(m.omega);
    }
    for (const LineSpread& line : c.lines) {
      const LineForce& value = actions.line_loads[line.load];
      const AppliedLoad<double> load = applied_line(k, line, value);
      const int node = c.links[line.link].node;
      const NodeMotion m = node_motion(k, node);
      const Vec3 velocity = m.velocity + m.omega.cross(load.point - node_pose(k, node).position);
      power += load.force.dot(velocity) + load.moment.dot(m.omega);
      const ElasticPlace& elastic = c.elastic[line.link];
      each_elastic_force(k, line, value,
                         [&](Eigen::Index j, double force) { power += force * state.v[elastic.v + j]; });
    }
  });
  return power;
}

}  // namespace lithe
