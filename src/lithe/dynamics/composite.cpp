#include "lithe/dynamics/composite.hpp"

#include "lithe/dynamics/composite_sweep.hpp"

namespace lithe::detail {

namespace {

template <class S>
struct CompositeMemory {
  explicit CompositeMemory(const Kernel<S>& k) : M(RowMatrix::Zero(k.nv, k.nv)), all(k) {}

  RowMatrix M;
  Composites<S, RigidInertia<S>> all;
};

}  // namespace

template <class S>
RowMatrix& composite_inertia(Kernel<S>& k) {
  CompositeMemory<S>& memory = k.memory.template of<CompositeMemory<S>>(k);
  RowMatrix& M = memory.M;
  Composites<S, RigidInertia<S>>& all = memory.all;
  update_bodies(k);
  start_composites(k, all);
  // From the tips inwards: when a node's turn comes, it has everything it carries.
  for (std::size_t i = k.nodes.size(); i-- > 0;) {
    const Node<S>& node = k.tables.nodes[i];
    if (node.parent >= 0) {
      const RigidInertia<S> carried = all.nodes[i].seen_from(k.nodes[i].rotation, k.nodes[i].position);
      if (node.mount >= 0) load_mount(k, node.mount, carried, all.bodies[k.tables.nodes[node.parent].body]);
      all.nodes[node.parent] += carried;
    }
    if (node.kind == NodeKind::elastic) {
      CompositeBody<S>& body = all.bodies[node.body];
      if (node.inboard >= 0) release_inboard(k, i, all.nodes[i], body);
      write_elastic_block(node, body.inertia, M);
    }
    // One column per speed: what it takes to accelerate it, here and on the way to the ground.
    for (int index = 0; index < node.nv; ++index) {
      NodeWrench<S> column = own_column(k, all, i, index);
      if (node.kind != NodeKind::elastic) project_column(k, i, column, node.v + index, M);
      project_inwards(k, i, -1, column, node.v + index, M);
    }
  }
  return M;
}

template RowMatrix& composite_inertia(Kernel<Spatial>&);
template RowMatrix& composite_inertia(Kernel<Planar>&);

}  // namespace lithe::detail
