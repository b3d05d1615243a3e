#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

// In space even for a planar mechanism: links at different heights above the plane have moments of momentum about axes
// that lie in it.
Momentum momentum(const Plan& plan, Workspace& work, const State& state) {
  Kernel<Spatial>& k = work.scratch().spatial(plan.compiled());
  update_positions(k, state.q);
  update_world(k);
  update_velocities(k, state.v);
  update_bodies(k);
  Momentum total;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<Spatial>& node = k.tables.nodes[i];
    const NodeState<Spatial>& s = k.nodes[i];
    Vec3 linear = node.mass * s.velocity, angular;  // node axes, about the node origin
    if (node.kind == NodeKind::elastic) {
      const BodyState<Spatial>& body = k.bodies[node.body];
      linear += s.omega.cross(body.first) + body.translation * body.rate;
      angular = body.second * s.omega + body.first.cross(s.velocity) + body.rotation * body.rate;
    } else {
      linear += s.omega.cross(node.first);
      angular = Spatial::times(node.second, s.omega) + node.first.cross(s.velocity);
    }
    const Vec3 carried = s.world_rotation * linear;
    total.linear += carried;
    total.angular += s.world_rotation * angular + s.world_position.cross(carried);
  }
  return total;
}

}  // namespace lithe
