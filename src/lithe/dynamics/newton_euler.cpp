#include "lithe/dynamics/newton_euler.hpp"

#include <cassert>

#include "lithe/dynamics/applied.hpp"
#include "lithe/dynamics/inward_sweep.hpp"
#include "lithe/kinematics/closures.hpp"

namespace lithe::detail {

template <class S>
void clear_loads(Kernel<S>& k) {
  for (NodeState<S>& s : k.nodes) {
    s.load_moment = S::zero_angular();
    s.load_force.setZero();
  }
  for (BodyState<S>& body : k.bodies) body.load.setZero();
}

template <class S>
void apply_loads(Kernel<S>& k, const Actions& actions) {
  const Mechanism& mechanism = k.compiled.mechanism;
  if (mechanism.loads.empty() && mechanism.line_loads.empty() && mechanism.springs.empty()) return;
  update_world(k);
  clear_loads(k);
  for (std::size_t i = 0; i < mechanism.loads.size(); ++i) {
    const LoadPort& port = mechanism.loads[i];
    const AppliedLoad load = applied_load(k, port, actions.loads[i]);
    add_frame_load(k, port.at, load.point, load.force, load.moment);
  }
  for (const LineSpread& line : k.compiled.lines) {
    const LineForce& value = actions.line_loads[line.load];
    const AppliedLoad load = applied_line(k, line, value);
    const int node = k.compiled.links[line.link].node;
    add_load(k, node, load.point, load.force, load.moment);
    if (node < 0 || k.tables.nodes[node].kind != NodeKind::elastic) continue;
    BodyState<S>& body = k.bodies[k.tables.nodes[node].body];
    each_elastic_force(k, line, value, [&](Eigen::Index j, double force) { body.load[j] += force; });
  }
  for (const PointSpring& spring : mechanism.springs) {
    const SpringState s = spring_state(k, spring);
    add_frame_load(k, spring.a, s.a, s.pull, Vec3::Zero());
    add_frame_load(k, spring.b, s.b, -s.pull, Vec3::Zero());
  }
}

template <class S>
void newton_euler(Kernel<S>& k, VectorX& force) {
  assert(k.stage >= MotionStage::bias);
  update_bodies(k);
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    if (node.kind == NodeKind::elastic) {
      elastic_inertia_forces(k, node.body, force);
      continue;
    }
    // Newton and Euler about the node origin, first and second moments constant in node axes.
    s.force = node.mass * s.acceleration + S::spin(s.alpha, node.first) +
              S::spin(s.omega, S::spin(s.omega, node.first)) - s.load_force;
    s.moment = S::times(node.second, s.alpha) + S::moment(node.first, s.acceleration) +
               S::cross(s.omega, S::times(node.second, s.omega)) - s.load_moment;
  }
  for (std::size_t i = k.nodes.size(); i-- > 0;) take_inwards(k, i, false, k.nodes.data(), force);
}

void add_passive_forces(const PassiveForces& passive, const VectorX& q, const VectorX& v, VectorX& force) {
  for (const ScalarSpring& spring : passive.scalars)
    force[spring.v] -= spring.stiffness * (q[spring.q] - spring.rest) + spring.damping * v[spring.v];
  for (const RotationSpring& spring : passive.rotations) {
    const double* x = q.data() + spring.q;
    const Vec3 angle = vector_from_rotation(Quat(x[0], x[1], x[2], x[3]).normalized().toRotationMatrix());
    force.segment<3>(spring.v) -= spring.stiffness * angle + spring.damping.cwiseProduct(v.segment<3>(spring.v));
  }
  const std::vector<int>& damped = passive.coupled.speeds;
  for (std::size_t j = 0; j < damped.size(); ++j) {
    const double* column = passive.coupled.matrix.data() + j * damped.size();
    for (std::size_t i = 0; i < damped.size(); ++i) force[damped[i]] -= column[i] * v[damped[j]];
  }
}

template <class S>
void add_passive_forces(Kernel<S>& k, Scratch& scratch, const State& state, VectorX& force) {
  const Compiled& c = k.compiled;
  add_passive_forces(c.tree_passive, state.q, state.v, force);
  add_elastic_forces(k, state, force);
  if (c.cut_passive.empty()) return;
  update_world(k);
  cut_coordinates_from_world(k, scratch.cut_q);
  cut_speeds_from_motion(k, scratch.cut_v);
  scratch.cut_force.setZero();
  add_passive_forces(c.cut_passive, scratch.cut_q, scratch.cut_v, scratch.cut_force);
  add_cut_forces(k, scratch.cut_force.data(), force);
}

template <class S>
void add_joint_forces(Kernel<S>& k, const Actions& actions, VectorX& force) {
  force += actions.tau.head(k.nv);
  if (k.compiled.cut_nv > 0) add_cut_forces(k, actions.tau.data() + k.nv, force);
}

#define LITHE_INSTANTIATE(S)                                                      \
  template void clear_loads(Kernel<S>&);                                          \
  template void apply_loads(Kernel<S>&, const Actions&);                          \
  template void newton_euler(Kernel<S>&, VectorX&);                               \
  template void add_passive_forces(Kernel<S>&, Scratch&, const State&, VectorX&); \
  template void add_joint_forces(Kernel<S>&, const Actions&, VectorX&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
