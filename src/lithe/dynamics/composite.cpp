#include "lithe/dynamics/composite.hpp"

namespace lithe::detail {

namespace {

/// Wrench at the node origin for a unit acceleration of one joint speed.
template <class S>
struct Column {
  typename S::Angular moment = S::zero_angular();
  typename S::Linear force = S::Linear::Zero();
};

/// What the composite body of a node needs for a unit acceleration of its `index`-th speed.
template <class S>
Column<S> own_column(const Kernel<S>& k, std::size_t i, int index) {
  const Node<S>& node = k.tables.nodes[i];
  const Composite<S>& body = k.composites[i];
  Column<S> column;
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

/// Force along the speeds of a node, written into row `row` of M and mirrored.
template <class S>
void project(Kernel<S>& k, std::size_t i, const Column<S>& column, int row) {
  const Node<S>& node = k.tables.nodes[i];
  const auto write = [&](int speed, double value) { k.M(row, speed) = k.M(speed, row) = value; };
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
  }
}

}  // namespace

template <class S>
void composite_inertia(Kernel<S>& k) {
  if (k.M.rows() != k.nv) k.M = RowMatrix::Zero(k.nv, k.nv);
  for (std::size_t i = 0; i < k.nodes.size(); ++i)
    k.composites[i] = {k.tables.nodes[i].mass, k.tables.nodes[i].first, k.tables.nodes[i].second};
  for (std::size_t i = k.nodes.size(); i-- > 0;) {
    const Node<S>& node = k.tables.nodes[i];
    const NodeState<S>& s = k.nodes[i];
    const Composite<S>& body = k.composites[i];
    if (node.parent >= 0) {
      Composite<S>& parent = k.composites[node.parent];
      const typename S::Linear first = S::turn(s.rotation, body.first);
      parent.mass += body.mass;
      parent.first += first + body.mass * s.position;
      parent.second += S::shift(body.second, s.rotation, s.position, first, body.mass);
    }
    for (int index = 0; index < node.nv; ++index) {
      Column<S> column = own_column(k, i, index);
      project(k, i, column, node.v + index);
      for (int at = static_cast<int>(i); k.tables.nodes[at].parent >= 0;) {
        const NodeState<S>& inner = k.nodes[at];
        column.force = S::turn(inner.rotation, column.force);
        column.moment = S::turn_angular(inner.rotation, column.moment) + S::moment(inner.position, column.force);
        at = k.tables.nodes[at].parent;
        project(k, static_cast<std::size_t>(at), column, node.v + index);
      }
    }
  }
}

template void composite_inertia(Kernel<Spatial>&);
template void composite_inertia(Kernel<Planar>&);

}  // namespace lithe::detail
