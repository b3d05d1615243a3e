#include "lithe/kinematics/kernel.hpp"

#include <cstring>
#include <numeric>

namespace lithe::detail {

template <class S>
Kernel<S>::Kernel(const Compiled& plan, const Tables<S>& arithmetic_tables)
    : compiled(plan),
      tables(arithmetic_tables),
      nv(plan.nv),
      row_count(static_cast<int>(arithmetic_tables.rows.size())),
      nodes(arithmetic_tables.nodes.size()),
      cuts(arithmetic_tables.cuts.size()),
      q(VectorX::Zero(plan.nq)),
      A(RowMatrix::Zero(row_count, nv)),
      c(VectorX::Zero(row_count)),
      gamma(VectorX::Zero(row_count)),
      h(VectorX::Zero(nv)),
      tree_force(VectorX::Zero(nv)),
      scratch_v(VectorX::Zero(nv)),
      scratch_c(VectorX::Zero(row_count)),
      composites(arithmetic_tables.nodes.size()),
      articulated(arithmetic_tables.nodes.size()),
      prescribed(plan.nv, 0) {
  if constexpr (!S::planar) {
    spherical_axes.assign(nodes.size(), Mat3::Identity());
    if (!plan.quaternions.empty()) spheres.resize(nodes.size());
  }
  // Long open chains never need the dense matrix; it is made when first asked for.
  if (row_count > 0) M = RowMatrix::Zero(nv, nv);
  // Without closures there is nothing to choose.
  if (row_count == 0) {
    selection.independent.resize(nv);
    std::iota(selection.independent.begin(), selection.independent.end(), 0);
    selection.independent_position = selection.independent;
  }
}

template <class S>
void Kernel<S>::resize_for_selection() {
  const int d = dependents(), f = independents();
  K.setZero(d, f);
  factor.setZero(d, d);
  pivots.assign(d, 0);
  dependent_bias.setZero(d);
  if (row_count > 0) {
    MN.setZero(nv, f);
    G.setZero(f, f);
  }
  reduced.setZero(f);
  complement_valid = bias_valid = false;
}

namespace {

/// Rotation of a spherical node, and its turning axes in node axes.
void update_spherical(Kernel<Spatial>& k, std::size_t i) {
  const Node<Spatial>& node = k.tables.nodes[i];
  NodeState<Spatial>& s = k.nodes[i];
  const double* x = k.q.data() + node.q;
  const Mat3 turn = Quat(x[0], x[1], x[2], x[3]).normalized().toRotationMatrix();
  if (node.reversed) {
    s.rotation = node.base_rotation * turn.transpose();
    k.spherical_axes[i] = -turn;
  } else {
    s.rotation = node.base_rotation * turn;
  }
  s.position = node.base_position;
}

}  // namespace

template <class S>
void update_positions(Kernel<S>& k, const VectorX& q) {
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(q.size());
  if (k.positions_valid && std::memcmp(k.q.data(), q.data(), bytes) == 0) return;
  std::memcpy(k.q.data(), q.data(), bytes);
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    switch (node.kind) {
      case NodeKind::revolute:
        s.rotation = S::turned(node.base_rotation, q[node.q], node.sign);
        s.position = node.base_position;
        break;
      case NodeKind::prismatic:
        s.rotation = node.base_rotation;
        s.position = node.base_position + S::slide_axis(node.base_rotation) * q[node.q];
        break;
      case NodeKind::spherical:
        if constexpr (!S::planar) update_spherical(k, i);
        break;
    }
  }
  k.positions_valid = true;
  k.world_valid = k.closures_valid = k.complement_valid = k.bias_valid = false;
}

template <class S>
void update_world(Kernel<S>& k) {
  if (k.world_valid) return;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    NodeState<S>& s = k.nodes[i];
    const int parent = k.tables.nodes[i].parent;
    if (parent < 0) {
      s.world_rotation = s.rotation;
      s.world_position = s.position;
      continue;
    }
    const NodeState<S>& p = k.nodes[parent];
    s.world_rotation = S::compose(p.world_rotation, s.rotation);
    s.world_position = p.world_position + S::turn(p.world_rotation, s.position);
  }
  k.world_valid = true;
}

template <class S>
void update_motion(Kernel<S>& k, const VectorX& v, const VectorX* a) {
  NodeState<S> ground;
  ground.omega = ground.alpha = S::zero_angular();
  ground.acceleration = -k.tables.gravity;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    const NodeState<S>& p = node.parent < 0 ? ground : k.nodes[node.parent];
    const typename S::Angular carried = S::turn_back_angular(s.rotation, p.omega);
    s.omega = carried;
    s.alpha = S::turn_back_angular(s.rotation, p.alpha);
    const typename S::Linear swing = S::spin(p.omega, s.position);
    s.velocity = S::turn_back(s.rotation, p.velocity + swing);
    s.acceleration = S::turn_back(s.rotation, p.acceleration + S::spin(p.alpha, s.position) + S::spin(p.omega, swing));
    switch (node.kind) {
      case NodeKind::revolute: {
        const double rate = v[node.v];
        S::add_turn(s.omega, rate, node.sign);
        s.alpha += S::cross_turn(carried, rate, node.sign);
        if (a) S::add_turn(s.alpha, (*a)[node.v], node.sign);
        break;
      }
      case NodeKind::prismatic: {
        const double rate = v[node.v];
        S::add_slide(s.velocity, rate);
        s.acceleration += S::spin_slide(carried, 2.0 * rate);
        if (a) S::add_slide(s.acceleration, (*a)[node.v]);
        break;
      }
      case NodeKind::spherical:
        if constexpr (!S::planar) {
          const Mat3& axes = k.spherical_axes[i];
          const Vec3 rate = axes * v.template segment<3>(node.v);
          s.omega += rate;
          s.alpha += carried.cross(rate);
          if (a) s.alpha += axes * a->template segment<3>(node.v);
        }
        break;
    }
  }
}

template struct Kernel<Spatial>;
template struct Kernel<Planar>;
template void update_positions(Kernel<Spatial>&, const VectorX&);
template void update_positions(Kernel<Planar>&, const VectorX&);
template void update_world(Kernel<Spatial>&);
template void update_world(Kernel<Planar>&);
template void update_motion(Kernel<Spatial>&, const VectorX&, const VectorX*);
template void update_motion(Kernel<Planar>&, const VectorX&, const VectorX*);

Scratch::Scratch(const Compiled& plan, Arithmetic arithmetic)
    : planar(plan.planar.has_value() && arithmetic == Arithmetic::automatic),
      cut_q(VectorX::Zero(plan.cut_nq)),
      cut_v(VectorX::Zero(plan.cut_nv)),
      cut_force(VectorX::Zero(plan.cut_nv)) {
  if (planar)
    flat.emplace(plan, *plan.planar);
  else
    full.emplace(plan, plan.spatial);
}

Kernel<Spatial>& Scratch::spatial(const Compiled& plan) {
  if (!full) full.emplace(plan, plan.spatial);
  return *full;
}

}  // namespace lithe::detail
