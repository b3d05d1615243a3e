#include "lithe/dynamics/applied.hpp"
#include "lithe/dynamics/elastic_body.hpp"
#include "lithe/dynamics/element_forces.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/missing_forces.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

/// Wrench about the ground origin, ground axes: easy to add up.
Wrench about_origin(const Vec3& point, const Vec3& force, const Vec3& moment) {
  return {moment + point.cross(force), force};
}
Wrench about_point(const Wrench& w, const Vec3& point) { return {w.moment - point.cross(w.force), w.force}; }
void add(Wrench& sum, const Wrench& w, double sign = 1.0) {
  sum.moment += sign * w.moment;
  sum.force += sign * w.force;
}

/// Inertia and weight of an elastic link about the ground origin; the caller takes loads and springs off.
Wrench elastic_wrench(Kernel<Spatial>& k, int node) {
  VectorX on_coordinates(k.nv);
  elastic_inertia_forces(k, k.tables.nodes[node].body, on_coordinates);
  NodeState<Spatial>& s = k.nodes[node];
  const Vec3 force = s.world_rotation * (s.force + s.load_force),
             moment = s.world_rotation * (s.moment + s.load_moment);
  return about_origin(s.world_position, force, moment);
}

/// What each link needs from its joints: inertia minus gravity, loads and springs; about the ground origin.
std::vector<Wrench> needed_wrenches(Kernel<Spatial>& k, const Actions& actions) {
  const Compiled& c = k.compiled;
  std::vector<Wrench> needed(c.links.size());
  for (std::size_t i = 1; i < c.links.size(); ++i) {
    const LinkData& link = c.mechanism.links[i];
    const LinkPlace& place = c.links[i];
    if (link.elastic.count() > 0 && place.node >= 0) {
      needed[i] = elastic_wrench(k, place.node);
      continue;
    }
    const Pose node = node_pose(k, place.node), pose = node * place.pose;
    const NodeMotion m = node_motion(k, place.node);
    const Vec3 centre = pose * link.centre, arm = centre - node.position;
    const Vec3 acceleration = m.acceleration + m.alpha.cross(arm) + m.omega.cross(m.omega.cross(arm));
    const Mat3 inertia = pose.rotation * link.inertia * pose.rotation.transpose();
    needed[i] = about_origin(centre, link.mass * (acceleration - c.mechanism.gravity),
                             inertia * m.alpha + m.omega.cross(inertia * m.omega));
  }
  for (std::size_t i = 0; i < c.mechanism.loads.size(); ++i) {
    const LoadPort& port = c.mechanism.loads[i];
    const AppliedLoad<double> load = applied_load(k, port, actions.loads[i]);
    add(needed[port.at.link], about_origin(load.point, load.force, load.moment), -1.0);
  }
  for (const LineSpread& line : c.lines) {
    const AppliedLoad<double> load = applied_line(k, line, actions.line_loads[line.load]);
    add(needed[line.link], about_origin(load.point, load.force, load.moment), -1.0);
  }
  for (const PointSpring& spring : c.mechanism.springs) {
    const SpringState<double> s = spring_state(k, spring);
    add(needed[spring.a.link], about_origin(s.a, s.pull, Vec3::Zero()), -1.0);
    add(needed[spring.b.link], about_origin(s.b, -s.pull, Vec3::Zero()), -1.0);
  }
  return needed;
}

/// Multipliers of the closures (minimum norm), of scaled_jacobian(). Needs the motion with the accelerations a.
VectorX closure_multipliers(Kernel<Spatial>& k, const State& state, const VectorX& a, const Actions& actions) {
  update_closures(k);
  // A^T lambda = needed - supplied
  VectorX missing = missing_forces(k, state, a, actions);
  RowMatrix scaled;
  scaled_jacobian(k, scaled);
  for (int j = 0; j < k.nv; ++j) missing[j] *= k.compiled.speed_scale[j];
  return solve_minimum_norm(scaled.transpose(), missing, tolerance::rank).x;
}

/// Wrenches of the cut joints on their to-links, about the to-frame origin: multipliers along the closure directions,
/// motors and springs along the free ones.
std::vector<Wrench> cut_wrenches(Kernel<Spatial>& k, const State& state, const VectorX& a, const Actions& actions) {
  const Compiled& c = k.compiled;
  std::vector<Wrench> wrenches(k.cuts.size());
  if (k.cuts.empty()) return wrenches;
  const VectorX lambda = closure_multipliers(k, state, a, actions);
  VectorX cut_force = actions.tau.tail(c.cut_nv);
  if (!c.cut_passive.empty()) {
    const CutJoints<Spatial>& cut = cut_joints(k);
    add_passive_forces(c.cut_passive, cut.q, cut.v, cut_force);
  }
  for (std::size_t i = 0; i < k.cuts.size(); ++i) {
    const Cut<Spatial>& cut = k.tables.cuts[i];
    for (std::size_t r = 0; r < cut.rows.size(); ++r) {
      const Wrench unit = closure_wrench(k, i, cut.rows[r]);
      const bool distance = cut.rows[r].kind == RowSpec::Kind::distance;
      add(wrenches[i], unit, lambda[cut.first_row + static_cast<int>(r)] / (distance ? c.length : 1.0));
    }
    for (std::size_t r = 0; r < cut.frees.size(); ++r)
      add(wrenches[i], free_wrench(k, i, cut.frees[r]), cut_force[cut.first_free + static_cast<int>(r)]);
  }
  return wrenches;
}

/// The motion in space, whatever the arithmetic of the workspace.
Kernel<Spatial>& moved_in_space(const Plan& plan, Workspace& work, const State& state, const VectorX& a) {
  Kernel<Spatial>& k = work.scratch().spatial(plan.compiled());
  update_positions(k, state.q);
  update_world(k);
  update_motion(k, state.v, &a);
  update_bodies(k);
  return k;
}

}  // namespace

VectorX coupling_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                        const Actions& actions) {
  const std::vector<Tie>& ties = plan.compiled().spatial.ties;
  VectorX forces(std::ssize(ties));
  if (ties.empty()) return forces;
  Kernel<Spatial>& k = moved_in_space(plan, work, state, a);
  const VectorX lambda = closure_multipliers(k, state, a, with_elements(k, state, actions));
  for (std::size_t i = 0; i < ties.size(); ++i)
    forces[static_cast<Eigen::Index>(i)] = lambda[ties[i].row] / ties[i].scale;
  return forces;
}

std::vector<Wrench> joint_reactions(const Plan& plan, Workspace& work, const State& state, const VectorX& a,
                                    const Actions& actions) {
  const Compiled& c = plan.compiled();
  Kernel<Spatial>& k = moved_in_space(plan, work, state, a);
  const Actions& acting = with_elements(k, state, actions);
  std::vector<Wrench> needed = needed_wrenches(k, acting);
  const std::vector<Wrench> cuts = cut_wrenches(k, state, a, acting);
  std::vector<Wrench> reactions(c.mechanism.joints.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Joint& joint = c.mechanism.joints[c.tree.cuts[i]];
    reactions[c.tree.cuts[i]] = cuts[i];
    const Wrench on_to = about_origin(frame_pose(k, joint.to).position, cuts[i].force, cuts[i].moment);
    add(needed[joint.to.link], on_to, -1.0);
    add(needed[joint.from.link], on_to);
  }
  // From the tips inwards: a tree joint carries what its child and everything beyond it needs.
  for (auto edge = c.tree.edges.rbegin(); edge != c.tree.edges.rend(); ++edge) {
    const Joint& joint = c.mechanism.joints[edge->joint];
    const Wrench carried = needed[edge->child];
    add(needed[edge->parent], carried);
    const Wrench on_to = about_point(carried, frame_pose(k, joint.to).position);
    add(reactions[edge->joint], on_to, edge->reversed ? -1.0 : 1.0);
  }
  return reactions;
}

}  // namespace lithe
