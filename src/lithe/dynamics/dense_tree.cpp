#include "lithe/dynamics/dense_tree.hpp"

#include "lithe/dynamics/applied.hpp"
#include "lithe/dynamics/dense_link.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/lift.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

namespace {

/// Adds an elastic link, whose flexible twist (angular, linear, elastic rates; link axes) is t = T v.
void add_elastic_link(const Plan& plan, Workspace& work, int index, const State& state, DenseTree& tree) {
  const Compiled& c = plan.compiled();
  const LinkData& link = c.mechanism.links[index];
  const LinkPlace& place = c.links[index];
  const ElasticPlace& elastic = c.elastic[index];
  MatrixX J;
  link_jacobian(plan, work, state.q, index, J);
  const Kernel<Spatial>& k = work.scratch().spatial(c);
  const Mat3 to_link = (node_pose(k, place.node) * place.pose).rotation.transpose();
  MatrixX T = MatrixX::Zero(6 + elastic.count, c.nv);
  T.topRows<3>() = to_link * J.topRows<3>();
  T.middleRows<3>(3) = to_link * J.bottomRows<3>();
  T.block(6, elastic.v, elastic.count, elastic.count).setIdentity();

  const NodeMotion m = node_motion(k, place.node);  // the node of an elastic link sits in the link origin
  const LinkMotion motion{to_link * m.omega, to_link * m.alpha, to_link * (m.acceleration - c.mechanism.gravity)};
  const VectorX eta = state.q.segment(elastic.q, elastic.count), rate = state.v.segment(elastic.v, elastic.count);
  const VectorX force = flexible_force(link, motion, eta, rate, c.speed_scale.segment(elastic.v, elastic.count));
  tree.M += T.transpose() * flexible_inertia(link, eta) * T;
  tree.h += T.transpose() * force;
}

/// Loads and springs as generalised forces, through the frame Jacobians.
VectorX dense_loads(const Plan& plan, Workspace& work, const State& state, const Actions& actions) {
  const Mechanism& mechanism = plan.mechanism();
  VectorX force = VectorX::Zero(plan.nv());
  MatrixX Ja, Jb;
  for (std::size_t i = 0; i < mechanism.loads.size(); ++i) {
    const LoadPort& port = mechanism.loads[i];
    frame_jacobian(plan, work, state.q, port.at, Ja);
    const Mat3 axes = port.in_frame_axes ? lithe::frame_pose(plan, work, state.q, port.at).rotation : Mat3::Identity();
    force += Ja.topRows<3>().transpose() * (axes * actions.loads[i].moment) +
             Ja.bottomRows<3>().transpose() * (axes * actions.loads[i].force);
  }
  for (const LineSpread& line : plan.compiled().lines) {
    const LineForce& value = actions.line_loads[line.load];
    link_jacobian(plan, work, state.q, line.link, Ja);
    const Kernel<Spatial>& k = work.scratch().spatial(plan.compiled());
    const AppliedLoad<double> load = applied_line(k, line, value);
    force += Ja.topRows<3>().transpose() * load.moment + Ja.bottomRows<3>().transpose() * load.force;
    const ElasticPlace& elastic = plan.elastic_places()[line.link];
    each_elastic_force(k, line, value, [&](Eigen::Index j, double share) { force[elastic.v + j] += share; });
  }
  for (const PointSpring& spring : mechanism.springs) {
    frame_jacobian(plan, work, state.q, spring.a, Ja);
    frame_jacobian(plan, work, state.q, spring.b, Jb);
    const Vec3 r = lithe::frame_pose(plan, work, state.q, spring.b).position -
                   lithe::frame_pose(plan, work, state.q, spring.a).position;
    if (r.norm() == 0.0) continue;
    const VectorX stretch = (Jb - Ja).bottomRows<3>().transpose() * r.normalized();
    const double pull = spring.stiffness * (r.norm() - spring.rest) + spring.damping * stretch.dot(state.v);
    force -= pull * stretch;
  }
  return force;
}

}  // namespace

DenseTree dense_tree(const Plan& plan, Workspace& work, const State& state) {
  const Compiled& c = plan.compiled();
  MatrixX T;
  tree_complement(plan, work, state.q, T);
  Kernel<Spatial>& k = work.scratch().spatial(c);
  update_positions(k, state.q);
  update_world(k);
  update_motion(k, state.v, nullptr);
  DenseTree tree{MatrixX::Zero(c.nv, c.nv), VectorX::Zero(c.nv)};
  for (std::size_t i = 1; i < c.links.size(); ++i) {
    const LinkData& link = c.mechanism.links[i];
    const LinkPlace& place = c.links[i];
    if (link.elastic.count() > 0 && place.node >= 0) {
      add_elastic_link(plan, work, static_cast<int>(i), state, tree);
      continue;
    }
    const Pose pose = node_pose(k, place.node) * place.pose;
    const NodeMotion m = node_motion(k, place.node);
    const Vec3 arm = pose * link.centre - node_pose(k, place.node).position;
    const Vec3 centre_acceleration = m.acceleration + m.alpha.cross(arm) + m.omega.cross(m.omega.cross(arm));
    const Mat3 inertia = pose.rotation * link.inertia * pose.rotation.transpose();
    const auto angular = T.middleRows<3>(6 * static_cast<int>(i - 1));
    const auto linear = T.middleRows<3>(6 * static_cast<int>(i - 1) + 3);
    tree.M += angular.transpose() * inertia * angular + link.mass * linear.transpose() * linear;
    tree.h += angular.transpose() * (inertia * m.alpha + m.omega.cross(inertia * m.omega)) +
              link.mass * linear.transpose() * (centre_acceleration - c.mechanism.gravity);
  }
  for (const Armature& armature : c.armatures) tree.M(armature.v, armature.v) += armature.inertia;
  return tree;
}

VectorX dense_force(const Plan& plan, Workspace& work, const State& state, const Actions& actions, const VectorX& h) {
  VectorX force = dense_loads(plan, work, state, actions) - h;
  add_passive_forces(plan.compiled().tree_passive, state.q, state.v, force);
  if (plan.cut_nv() > 0) {
    VectorX cut_q, cut_v, cut_force = actions.tau.tail(plan.cut_nv());
    cut_coordinates(plan, work, state.q, cut_q);
    cut_speeds(plan, work, state, cut_v);
    add_passive_forces(plan.compiled().cut_passive, cut_q, cut_v, cut_force);
    MatrixX J;
    cut_jacobian(plan, work, state.q, J);
    force += J.transpose() * cut_force;
  }
  force += actions.tau.head(plan.nv());
  return force;
}

}  // namespace lithe::detail
