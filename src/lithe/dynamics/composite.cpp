#include "lithe/dynamics/composite.hpp"

namespace lithe::detail {

namespace {

/// Mass and moments of a node together with everything it carries, about the node origin.
template <class S>
struct Composite {
  double mass = 0.0;
  typename S::Linear first = S::Linear::Zero();
  typename S::Moment2 second{};
};

/// An elastic link with everything it carries: wrench at the node origin and inertia per elastic acceleration.
template <class S>
struct CompositeBody {
  LinearRows<S> force;
  AngularRows<S> moment;
  RowMatrix inertia;
};

template <class S>
struct CompositeMemory {
  explicit CompositeMemory(const Kernel<S>& k)
      : M(RowMatrix::Zero(k.nv, k.nv)), nodes(k.nodes.size()), bodies(k.bodies.size()) {}

  RowMatrix M;
  std::vector<Composite<S>> nodes;
  std::vector<CompositeBody<S>> bodies;
};

/// Wrench at the node origin for a unit acceleration of one joint speed.
template <class S>
struct Column {
  typename S::Angular moment = S::zero_angular();
  typename S::Linear force = S::Linear::Zero();
};

/// What the composite body of a node needs for a unit acceleration of its `index`-th speed.
template <class S>
Column<S> own_column(const Kernel<S>& k, const CompositeMemory<S>& memory, std::size_t i, int index) {
  const Node<S>& node = k.tables.nodes[i];
  const Composite<S>& body = memory.nodes[i];
  Column<S> column;
  if (node.kind == NodeKind::elastic) {
    const CompositeBody<S>& b = memory.bodies[node.body];
    column.force = b.force.col(index);
    column.moment = S::from_column(b.moment.col(index));
    return column;
  }
  if (node.kind == NodeKind::prismatic) {
    typename S::Linear along = S::Linear::Zero();
    S::add_slide(along, 1.0);
    column.force = body.mass * along;
    column.moment = S::moment(body.first, along);
    return column;
  }
  typename S::Angular axis = S::turn_axis(node.sign);
  if constexpr (!S::planar)
    if (node.kind == NodeKind::spherical) axis = k.spherical_axes[i].col(index);
  column.moment = S::times(body.second, axis);
  column.force = S::spin(axis, body.first);
  return column;
}

/// Adds sign times what a column on an elastic node does on its coordinates through a mount, to row `row` of M.
template <class S>
void project_mount(const Kernel<S>& k, int mount, const Column<S>& column, int row, double sign, RowMatrix& M) {
  const MountState<S>& m = k.mounts[mount];
  const ElasticBody<S>& body = k.tables.bodies[k.tables.mounts[mount].body];
  const typename S::Angular about = column.moment - S::moment(m.position, column.force);
  for (int j = 0; j < body.count; ++j) {
    M(row, body.v + j) += sign * (m.shape.col(j).dot(column.force) + m.turn.col(j).dot(S::column(about)));
    M(body.v + j, row) = M(row, body.v + j);
  }
}

/// Force along the speeds of a node, written into row `row` of M and mirrored.
template <class S>
void project(const Kernel<S>& k, std::size_t i, const Column<S>& column, int row, RowMatrix& M) {
  const Node<S>& node = k.tables.nodes[i];
  const auto write = [&](int speed, double value) { M(row, speed) = M(speed, row) = value; };
  switch (node.kind) {
    case NodeKind::revolute:
      write(node.v, S::along_turn(column.moment, node.sign));
      break;
    case NodeKind::prismatic:
      write(node.v, S::along_slide(column.force));
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) {
        const Vec3 along = k.spherical_axes[i].transpose() * column.moment;
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

/// Takes what an elastic parent's coordinates do to everything that hangs on one of its mounts into the parent.
/// `second` and `first` are moments about the mount, in the parent's axes.
template <class S>
void load_mount(const Kernel<S>& k, CompositeMemory<S>& memory, int mount, double mass, const typename S::Linear& first,
                const typename S::Moment2& second) {
  const MountState<S>& m = k.mounts[mount];
  CompositeBody<S>& b = memory.bodies[k.tables.mounts[mount].body];
  const int n = static_cast<int>(b.force.cols());
  for (int j = 0; j < n; ++j) {
    const typename S::Angular turn = S::from_column(m.turn.col(j));
    const typename S::Linear slide = m.shape.col(j);
    const typename S::Linear force = mass * slide + S::spin(turn, first);
    const typename S::Angular moment = S::times(second, turn) + S::moment(first, slide);
    b.force.col(j) += force;
    b.moment.col(j) += S::column(moment + S::moment(m.position, force));
    for (int i = 0; i <= j; ++i) {
      b.inertia(j, i) += m.shape.col(i).dot(force) + m.turn.col(i).dot(S::column(moment));
    }
  }
}

/// The link frame of an elastic node moves against the mount that holds it: all that it carries moves along.
template <class S>
void release_inboard(const Kernel<S>& k, CompositeMemory<S>& memory, std::size_t i) {
  const Node<S>& node = k.tables.nodes[i];
  const MountState<S>& m = k.mounts[node.inboard];
  const Composite<S>& body = memory.nodes[i];
  CompositeBody<S>& b = memory.bodies[node.body];
  // Rigid motion per coordinate: angular -turn, linear turn x p - shape. Inertia gets B^T W + W^T B + B^T I B, where W
  // are the wrenches of the bending alone; adding half of I B to W makes that symmetric sum two products.
  const auto motion = [&](int j, typename S::Angular& angular, typename S::Linear& linear) {
    angular = S::from_column(m.turn.col(j));
    linear = S::spin(angular, m.position) - m.shape.col(j);
    angular = -angular;
  };
  typename S::Angular angular = S::zero_angular(), other_angular = S::zero_angular();
  typename S::Linear linear, other_linear;
  for (int half = 0; half < 2; ++half) {
    for (int j = 0; j < node.nv; ++j) {
      motion(j, angular, linear);
      b.force.col(j) += 0.5 * (body.mass * linear + S::spin(angular, body.first));
      b.moment.col(j) += 0.5 * S::column(S::times(body.second, angular) + S::moment(body.first, linear));
    }
    if (half == 1) break;
    for (int j = 0; j < node.nv; ++j) {
      motion(j, angular, linear);
      for (int r = 0; r <= j; ++r) {
        motion(r, other_angular, other_linear);
        b.inertia(j, r) += linear.dot(b.force.col(r)) + S::column(angular).dot(b.moment.col(r)) +
                           other_linear.dot(b.force.col(j)) + S::column(other_angular).dot(b.moment.col(j));
      }
    }
  }
}

/// Every node alone, before it gets what it carries.
template <class S>
void start_nodes(const Kernel<S>& k, CompositeMemory<S>& memory) {
  for (std::size_t i = 0; i < k.nodes.size(); ++i)
    memory.nodes[i] = {k.tables.nodes[i].mass, k.tables.nodes[i].first, k.tables.nodes[i].second};
  for (std::size_t i = 0; i < k.bodies.size(); ++i) {
    const ElasticBody<S>& body = k.tables.bodies[i];
    const BodyState<S>& state = k.bodies[i];
    memory.nodes[body.node].first = state.first;
    memory.nodes[body.node].second = state.second;
    CompositeBody<S>& b = memory.bodies[i];
    b.force = state.translation;
    b.moment = state.rotation;
    b.inertia = body.mass;
    b.inertia += state.square.lazyProduct(state.square.transpose());
  }
}

/// Adds node i with everything it carries to its parent; an elastic parent also feels it through its mount.
template <class S>
void add_to_parent(const Kernel<S>& k, CompositeMemory<S>& memory, std::size_t i) {
  const Node<S>& node = k.tables.nodes[i];
  const NodeState<S>& s = k.nodes[i];
  const Composite<S>& body = memory.nodes[i];
  Composite<S>& parent = memory.nodes[node.parent];
  const typename S::Linear first = S::turn(s.rotation, body.first);
  if (node.mount >= 0) {
    const typename S::Linear offset = s.position - k.mounts[node.mount].position;
    load_mount<S>(k, memory, node.mount, body.mass, first + body.mass * offset,
                  S::shift(body.second, s.rotation, offset, first, body.mass));
  }
  parent.mass += body.mass;
  parent.first += first + body.mass * s.position;
  parent.second += S::shift(body.second, s.rotation, s.position, first, body.mass);
}

/// Carries the wrench of a column from node i to the ground, and writes what it does on the speeds on its way.
template <class S>
void project_inwards(const Kernel<S>& k, std::size_t i, Column<S> column, int row, RowMatrix& M) {
  for (int at = static_cast<int>(i); k.tables.nodes[at].parent >= 0;) {
    const NodeState<S>& inner = k.nodes[at];
    column.force = S::turn(inner.rotation, column.force);
    column.moment = S::turn_angular(inner.rotation, column.moment) + S::moment(inner.position, column.force);
    const int mount = k.tables.nodes[at].mount;
    at = k.tables.nodes[at].parent;
    if (const Node<S>& elastic = k.tables.nodes[at]; elastic.kind == NodeKind::elastic) {
      for (int j = 0; j < elastic.nv; ++j) M(row, elastic.v + j) = 0.0;
      if (mount >= 0) project_mount(k, mount, column, row, 1.0, M);
    }
    project(k, static_cast<std::size_t>(at), column, row, M);
  }
}

}  // namespace

template <class S>
RowMatrix& composite_inertia(Kernel<S>& k) {
  CompositeMemory<S>& memory = k.memory.template of<CompositeMemory<S>>(k);
  RowMatrix& M = memory.M;
  update_bodies(k);
  start_nodes(k, memory);
  // From the tips inwards: when a node's turn comes, it has everything it carries.
  for (std::size_t i = k.nodes.size(); i-- > 0;) {
    const Node<S>& node = k.tables.nodes[i];
    if (node.parent >= 0) add_to_parent(k, memory, i);
    // Elastic coordinates among each other: one block.
    if (node.kind == NodeKind::elastic) {
      if (node.inboard >= 0) release_inboard(k, memory, i);
      const RowMatrix& inertia = memory.bodies[node.body].inertia;
      for (int r = 0; r < node.nv; ++r)
        for (int j = 0; j <= r; ++j) M(node.v + r, node.v + j) = M(node.v + j, node.v + r) = inertia(r, j);
    }
    // One column per speed: what it takes to accelerate it, here and on the way to the ground.
    for (int index = 0; index < node.nv; ++index) {
      const Column<S> column = own_column(k, memory, i, index);
      if (node.kind != NodeKind::elastic) project(k, i, column, node.v + index, M);
      project_inwards(k, i, column, node.v + index, M);
    }
  }
  return M;
}

template RowMatrix& composite_inertia(Kernel<Spatial>&);
template RowMatrix& composite_inertia(Kernel<Planar>&);

}  // namespace lithe::detail
