// Gibbs-Appell. The gradient of the acceleration energy by the accelerations of the speeds is the force along them,
//   dS/da = I a + dS/da at a = 0 = force      (Korayem and Shafei (57), (58)),
// and the chain rule takes it from the nodes to the speeds. One recursion serves the right side and every column of I:
//   outwards  accelerations of the node frames, all of a being zero, or one of its entries one (their (71)-(74))
//   per node  gradient of its acceleration energy there, see acceleration_energy.hpp
//   inwards   sums over what a node carries (their (99), (100)), taken along the speeds
// I is symmetric: of a column only the part that the accelerated node carries is computed. Their 17 grids of 3 x 3
// matrices are these sums with the columns not yet chosen; vectors do with less. Loops enter through the complement.

#include "lithe/dynamics/acceleration_energy.hpp"
#include "lithe/dynamics/composite_sweep.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/inward_sweep.hpp"
#include "lithe/dynamics/newton_euler.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe::detail {

namespace {

template <class S>
struct AppellMemory {
  explicit AppellMemory(const Kernel<S>& k)
      : inertia(RowMatrix::Zero(k.nv, k.nv)),
        force(VectorX::Zero(k.nv)),
        column(VectorX::Zero(k.nv)),
        rates(k.nodes.size()),
        gradients(k.nodes.size()),
        carried(k.nodes.size()) {
    for (std::size_t i = 0; i < k.nodes.size(); ++i)
      for (int at = static_cast<int>(i); at >= 0; at = k.tables.nodes[at].parent)
        carried[at].push_back(static_cast<int>(i));
  }

  RowMatrix inertia;  ///< of the tree; speeds of different branches never meet and stay zero
  VectorX force;      ///< along the tree speeds
  VectorX column;     ///< gradient along the speeds that one of them accelerates
  std::vector<NodeAcceleration<S>> rates;
  std::vector<NodeWrench<S>> gradients;
  std::vector<std::vector<int>> carried;  ///< per node: itself and what hangs on it, in the order of the nodes
};

/// Acceleration of the frame of a node per unit of its speed number `index`.
template <class S>
NodeAcceleration<S> own_rate(const Kernel<S>& k, std::size_t i, int index) {
  const Node<S>& node = k.tables.nodes[i];
  NodeAcceleration<S> x;
  switch (node.kind) {
    case NodeKind::revolute:
      x.alpha = S::turn_axis(node.sign);
      break;
    case NodeKind::prismatic:
      S::add_slide(x.linear, 1.0);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) x.alpha = k.spherical_axes[i].col(index);
      break;
    case NodeKind::elastic:
      if (node.inboard >= 0) {  // the held place stays, the frame moves against it
        const NodeAcceleration<S> held = mount_column(k.mounts[node.inboard], index);
        x = {-held.alpha, -held.linear};
      }
      break;
    case NodeKind::fixed:
      break;
  }
  return x;
}

/// Acceleration of node i when its parent accelerates; `bending` is the coordinate in which the parent bends, or -1.
template <class S>
NodeAcceleration<S> carried_rate(const Kernel<S>& k, std::size_t i, NodeAcceleration<S> x, int bending) {
  if (const int mount = k.tables.nodes[i].mount; bending >= 0 && mount >= 0) {
    const NodeAcceleration<S> bent = mount_column(k.mounts[mount], bending);
    x.alpha += bent.alpha;
    x.linear += bent.linear;
  }
  return x.carried_to(k.nodes[i].rotation, k.nodes[i].position);
}

/// One column of the inertia matrix and, mirrored, one row: speed `index` of node `start` accelerates, no other.
template <class S>
void fill_column(const Kernel<S>& k, std::size_t start, int index, AppellMemory<S>& memory) {
  const std::vector<int>& nodes = memory.carried[start];
  const bool bends = k.tables.nodes[start].kind == NodeKind::elastic;
  for (const int i : nodes) {
    const int parent = k.tables.nodes[i].parent;
    const bool own = i == nodes.front();
    const int bending = bends && parent == nodes.front() ? index : -1;
    memory.rates[i] = own ? own_rate(k, start, index) : carried_rate<S>(k, i, memory.rates[parent], bending);
    memory.gradients[i] = inertial_gradient(k, i, memory.rates[i], memory.column);
    if (own && bends) add_bending_gradient(k, start, index, memory.gradients[i], memory.column);
  }
  for (std::size_t at = nodes.size(); at-- > 0;)
    take_inwards(k, nodes[at], at == 0, memory.gradients.data(), memory.column);
  const int row = k.tables.nodes[start].v + index;
  for (const int i : nodes)
    for (int v = k.tables.nodes[i].v, end = v + k.tables.nodes[i].nv; v < end; ++v)
      memory.inertia(row, v) = memory.inertia(v, row) = memory.column[v];
}

/// Forces along the tree speeds that accelerate them: what acts, less the gradient at zero accelerations.
template <class S>
void appell_force(Kernel<S>& k, const State& state, const Actions& actions, AppellMemory<S>& memory) {
  update_motion(k, state.v, nullptr);
  apply_loads(k, actions);
  VectorX& force = memory.force;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    memory.gradients[i] = inertial_gradient(k, i, {k.nodes[i].alpha, k.nodes[i].acceleration}, force);
    add_velocity_gradient(k, i, memory.gradients[i], force);
  }
  for (std::size_t i = k.nodes.size(); i-- > 0;) take_inwards(k, i, false, memory.gradients.data(), force);
  force = -force;
  add_joint_forces(k, actions, force);
  add_passive_forces(k, state, force);
}

}  // namespace

template <class S>
Status gibbs_appell_forward(Kernel<S>& k, const State& state, const Actions& actions, VectorX& a,
                            const Stabilisation&) {
  AppellMemory<S>& memory = k.memory.template of<AppellMemory<S>>(k);
  update_positions(k, state.q);
  if (Status status = update_complement(k); !status) return status;
  update_bodies(k);
  appell_force(k, state, actions, memory);
  for (std::size_t i = 0; i < k.nodes.size(); ++i)
    for (int index = 0; index < k.tables.nodes[i].nv; ++index) fill_column(k, i, index, memory);
  add_armatures(k.compiled, memory.inertia);
  return complement_forward(k, state, memory.inertia, memory.force, a);
}

template Status gibbs_appell_forward(Kernel<Spatial>&, const State&, const Actions&, VectorX&, const Stabilisation&);
template Status gibbs_appell_forward(Kernel<Planar>&, const State&, const Actions&, VectorX&, const Stabilisation&);

}  // namespace lithe::detail
