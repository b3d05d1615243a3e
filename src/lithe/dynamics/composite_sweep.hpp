#pragma once
// Steps of a sweep from the tips inwards that gathers what every node carries, and writes what accelerations of its
// speeds take. Inertia: RigidInertia or ArticulatedInertia. Matrix: anything with (speed, speed).

#include <algorithm>
#include <vector>

#include "lithe/dynamics/inertia.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// An elastic link with everything it carries: wrench at the node origin and inertia per elastic acceleration.
template <class S>
struct CompositeBody {
  LinearRows<S> force;
  AngularRows<S> moment;
  typename S::RowMatrix inertia;  ///< its lower triangle

  NodeWrench<S> column(int j) const { return {S::from_column(moment.col(j)), force.col(j)}; }
};

template <class S, class Inertia>
struct Composites {
  explicit Composites(const Kernel<S>& k) : nodes(k.nodes.size()), bodies(k.bodies.size()) {}

  std::vector<Inertia> nodes;
  std::vector<CompositeBody<S>> bodies;
};

/// Inertia of rotors along their own speeds.
template <class Matrix>
void add_armatures(const Compiled& compiled, Matrix& M) {
  for (const Armature& armature : compiled.armatures) M(armature.v, armature.v) += armature.inertia;
}

/// Every node alone, before it gets what it carries. Needs update_bodies.
template <class S, class Inertia>
void start_composites(const Kernel<S>& k, Composites<S, Inertia>& all) {
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const NodeTable<S>& node = k.tables.nodes[i];
    if (node.body < 0) all.nodes[i].become({node.mass, S::lift(node.first), S::lift(node.second)});
  }
  for (std::size_t i = 0; i < k.bodies.size(); ++i) {
    const BodyTable<S>& body = k.tables.bodies[i];
    const BodyState<S>& state = k.bodies[i];
    all.nodes[body.node].become({k.tables.nodes[body.node].mass, state.first, state.second});
    CompositeBody<S>& b = all.bodies[i];
    b.force = state.translation;
    b.moment = state.rotation;
    b.inertia = S::lift(body.mass);
    b.inertia += state.square.lazyProduct(state.square.transpose());
  }
}

/// `visit(j, work)`: what a wrench at the node origin does per unit of elastic coordinate j through the mount.
template <class S, class Visit>
void for_each_mount_work(const MountState<S>& mount, const NodeWrench<S>& wrench, int count, Visit&& visit) {
  const auto about = S::column(typename S::Angular(wrench.moment - S::moment(mount.position, wrench.force)));
  for (int j = 0; j < count; ++j) visit(j, mount.shape.col(j).dot(wrench.force) + mount.turn.col(j).dot(about));
}

/// Takes what an elastic parent's coordinates do to everything that hangs on one of its mounts into the parent.
/// `inertia`: about the origin of the parent, in its axes.
template <class S, class Inertia>
void load_mount(const Kernel<S>& k, int mount, const Inertia& inertia, CompositeBody<S>& b) {
  const MountState<S>& m = k.mounts[mount];
  const int n = static_cast<int>(b.force.cols());
  for (int j = 0; j < n; ++j) {
    const NodeAcceleration<S> motion = mount_column(m, j);
    const NodeWrench<S> wrench = inertia.moving(motion.alpha, motion.linear);
    b.force.col(j) += wrench.force;
    b.moment.col(j) += S::column(wrench.moment);
    for_each_mount_work(m, wrench, j + 1, [&](int i, const typename S::Number& work) { b.inertia(j, i) += work; });
  }
}

/// The link frame of an elastic node moves against the mount that holds it: all that it carries moves along.
template <class S, class Inertia>
void release_inboard(const Kernel<S>& k, std::size_t i, const Inertia& inertia, CompositeBody<S>& b) {
  const NodeTable<S>& node = k.tables.nodes[i];
  const MountState<S>& m = k.mounts[node.inboard];
  // Rigid motion B per coordinate: against that of the mount. Inertia gets B^T W + W^T B + B^T I B, where W are the
  // wrenches of the bending alone; adding half of I B to W makes that symmetric sum two products.
  for (int half = 0; half < 2; ++half) {
    for (int j = 0; j < node.nv; ++j) {
      const NodeAcceleration<S> mount = mount_column(m, j);
      const NodeWrench<S> wrench = inertia.moving(mount.alpha, mount.linear);
      b.force.col(j) -= 0.5 * wrench.force;
      b.moment.col(j) -= 0.5 * S::column(wrench.moment);
    }
    if (half == 1) break;
    for (int r = 0; r < node.nv; ++r)
      for_each_mount_work(m, b.column(r), node.nv, [&](int j, const typename S::Number& work) {
        b.inertia(std::max(j, r), std::min(j, r)) -= j == r ? typename S::Number(2.0 * work) : work;
      });
  }
}

/// What node i with everything it carries takes for a unit acceleration of its `index`-th speed.
template <class S, class Inertia>
NodeWrench<S> own_column(const Kernel<S>& k, const Composites<S, Inertia>& all, std::size_t i, int index) {
  const NodeTable<S>& node = k.tables.nodes[i];
  if (node.kind == NodeKind::revolute) return all.nodes[i].turning(S::turn_axis(node.sign));
  if (node.kind == NodeKind::elastic) return all.bodies[node.body].column(index);
  if (node.kind == NodeKind::prismatic) {
    typename S::Linear along = S::Linear::Zero();
    S::add_slide(along, 1.0);
    return all.nodes[i].sliding(along);
  }
  if constexpr (!S::planar)
    if (node.kind == NodeKind::spherical) return all.nodes[i].turning(k.spherical_axes[i].col(index));
  return all.nodes[i].turning(S::turn_axis(node.sign));
}

/// Adds sign times what a column on an elastic node does on its coordinates through a mount, to row `row` of M.
template <class S, class Matrix>
void project_mount(const Kernel<S>& k, int mount, const NodeWrench<S>& column, int row, double sign, Matrix& M) {
  const BodyTable<S>& body = k.tables.bodies[k.tables.mounts[mount].body];
  for_each_mount_work(k.mounts[mount], column, body.count, [&](int j, const typename S::Number& work) {
    M(row, body.v + j) += sign * work;
    M(body.v + j, row) = M(row, body.v + j);
  });
}

/// Force along the speeds of node i, written into row `row` of M and mirrored.
template <class S, class Matrix>
inline void project_column(const Kernel<S>& k, std::size_t i, const NodeTable<S>& node, const NodeWrench<S>& column,
                           int row, Matrix& M) {
  const auto write = [&](int speed, const typename S::Number& value) { M(row, speed) = M(speed, row) = value; };
  if (node.kind == NodeKind::revolute) return write(node.v, S::along_turn(column.moment, node.sign));
  switch (node.kind) {
    case NodeKind::revolute:
      write(node.v, S::along_turn(column.moment, node.sign));
      break;
    case NodeKind::prismatic:
      write(node.v, S::along_slide(column.force));
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) {
        const typename S::Angular along = k.spherical_axes[i].transpose() * column.moment;
        for (int j = 0; j < 3; ++j) write(node.v + j, along[j]);
      }
      break;
    case NodeKind::elastic:
      if (node.inboard >= 0) project_mount(k, node.inboard, column, row, -1.0, M);
      break;
    case NodeKind::fixed:
      break;
  }
}

/// Carries a column from node i inwards up to (not into) node `base`, and writes what it does on the speeds on its way.
/// Returns the node that it ends on, whose parent is the base.
template <class S, class Matrix>
int project_inwards(const Kernel<S>& k, std::size_t i, int base, NodeWrench<S>& column, int row, Matrix& M) {
  const NodeTable<S>* const tables = k.tables.nodes.data();
  const NodeState<S>* const states = k.nodes.data();
  int at = static_cast<int>(i);
  for (int parent = tables[at].parent; parent != base;) {
    column = column.seen_from(states[at].rotation, states[at].position);
    const int mount = tables[at].mount;
    at = parent;
    const NodeTable<S>& node = tables[at];
    parent = node.parent;
    if (node.kind == NodeKind::elastic) {
      for (int j = 0; j < node.nv; ++j) M(row, node.v + j) = 0.0;
      if (mount >= 0) project_mount(k, mount, column, row, 1.0, M);
    }
    project_column(k, static_cast<std::size_t>(at), node, column, row, M);
  }
  return at;
}

/// Elastic coordinates among each other: one block of M.
template <class Node, class Inertia, class Matrix>
void write_elastic_block(const Node& node, const Inertia& inertia, Matrix& M) {
  for (int r = 0; r < node.nv; ++r)
    for (int j = 0; j <= r; ++j) M(node.v + r, node.v + j) = M(node.v + j, node.v + r) = inertia(r, j);
}

}  // namespace lithe::detail
