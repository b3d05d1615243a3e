#include "lithe/dynamics/articulated.hpp"

#include "lithe/dynamics/articulated_node.hpp"

namespace lithe::detail {

namespace {

template <class S>
struct ArticulatedMemory {
  explicit ArticulatedMemory(const Kernel<S>& k) : nodes(k.nodes.size()) {
    if (!k.compiled.quaternions.empty()) spheres.resize(k.nodes.size());
  }
  std::vector<Articulated<S>> nodes;
  std::vector<ArticulatedSphere> spheres;  ///< per node; empty without spherical nodes
};

/// Velocities, velocity-dependent accelerations, and each node's own inertia and bias wrench.
template <class S>
void start_node(Kernel<S>& k, std::size_t i, const VectorX& v, Articulated<S>& x) {
  const Node<S>& node = k.tables.nodes[i];
  NodeState<S>& s = k.nodes[i];
  typename S::Angular carried = S::zero_angular(), bias_alpha = S::zero_angular();
  typename S::Linear bias = S::Linear::Zero();
  if (node.parent >= 0) {
    const NodeState<S>& p = k.nodes[node.parent];
    carried = S::turn_back_angular(s.rotation, p.omega);
    bias = S::turn_back(s.rotation, S::spin(p.omega, S::spin(p.omega, s.position)));
  }
  s.omega = carried;
  switch (node.kind) {
    case NodeKind::revolute:
      S::add_turn(s.omega, v[node.v], node.sign);
      bias_alpha = S::cross_turn(carried, v[node.v], node.sign);
      break;
    case NodeKind::prismatic:
      bias += S::spin_slide(carried, 2.0 * v[node.v]);
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) {
        const Vec3 rate = k.spherical_axes[i] * v.template segment<3>(node.v);
        s.omega += rate;
        bias_alpha = carried.cross(rate);
      }
      break;
    case NodeKind::elastic:
    case NodeKind::fixed:
      break;
  }
  x.bias_alpha = S::column(bias_alpha);
  x.bias_acceleration = bias;
  x.become({node.mass, node.first, node.second});
  x.bias_moment = S::column(S::cross(s.omega, S::times(node.second, s.omega)) - s.load_moment);
  x.bias_force = S::spin(s.omega, S::spin(s.omega, node.first)) - s.load_force;
}

/// Acceleration of the joint's own freedom, given for a prescribed joint, added to the bias that the parent feels.
template <class S>
void add_prescribed(const Kernel<S>& k, std::size_t i, const VectorX& a, Articulated<S>& x) {
  const Node<S>& node = k.tables.nodes[i];
  switch (node.kind) {
    case NodeKind::revolute:
      x.bias_alpha[S::turn_index] += node.sign * a[node.v];
      break;
    case NodeKind::prismatic:
      x.bias_acceleration[S::slide_index] += a[node.v];
      break;
    case NodeKind::spherical:
      if constexpr (!S::planar) x.bias_alpha += k.spherical_axes[i] * a.template segment<3>(node.v);
      break;
    case NodeKind::elastic:
    case NodeKind::fixed:
      break;
  }
}

/// Adds what a node has become to its parent.
template <class S>
void pass_inwards(const NodeState<S>& s, const Articulated<S>& x, Articulated<S>& parent) {
  constexpr int A = Articulated<S>::A, L = Articulated<S>::L;
  const Eigen::Matrix<double, A, 1> moment = x.bias_moment + x.nn * x.bias_alpha + x.nf * x.bias_acceleration;
  const Eigen::Matrix<double, L, 1> force = x.bias_force + x.nf.transpose() * x.bias_alpha + x.ff * x.bias_acceleration;
  const NodeWrench<S> outer = NodeWrench<S>{S::from_column(moment), force}.seen_from(s.rotation, s.position);
  parent.bias_moment += S::column(outer.moment);
  parent.bias_force += outer.force;
  parent += x.seen_from(s.rotation, s.position);
}

}  // namespace

template <class S>
Status articulated_forward(Kernel<S>& k, const VectorX& v, const VectorX& force, VectorX& a) {
  ArticulatedMemory<S>& memory = k.memory.template of<ArticulatedMemory<S>>(k);
  for (std::size_t i = 0; i < k.nodes.size(); ++i) start_node(k, i, v, memory.nodes[i]);
  // Inwards: each node gives up its own freedom, and its parent feels what is left of it.
  for (std::size_t i = k.nodes.size(); i-- > 0;) {
    const Node<S>& node = k.tables.nodes[i];
    Articulated<S>& x = memory.nodes[i];
    if (k.prescribed[node.v]) {
      add_prescribed(k, i, a, x);
    } else {
      bool released = true;
      if (node.kind != NodeKind::spherical)
        released = release_axis(node, x, force[node.v]);
      else if constexpr (!S::planar)
        released = release_sphere(k, i, force, x, memory.spheres[i]);
      if (!released) {
        k.stage = MotionStage::nothing;
        return {Status::Code::singular_inertia, node.v, 0.0};
      }
    }
    if (node.parent >= 0) pass_inwards(k.nodes[i], x, memory.nodes[node.parent]);
  }
  // Outwards: with the acceleration of its parent known, a node knows its own.
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    const Node<S>& node = k.tables.nodes[i];
    NodeState<S>& s = k.nodes[i];
    const Articulated<S>& x = memory.nodes[i];
    typename S::Angular parent_alpha = S::zero_angular();
    typename S::Linear parent_acceleration = -k.tables.gravity;
    if (node.parent >= 0) {
      parent_alpha = k.nodes[node.parent].alpha;
      parent_acceleration = k.nodes[node.parent].acceleration;
    }
    auto alpha = (S::column(S::turn_back_angular(s.rotation, parent_alpha)) + x.bias_alpha).eval();
    typename S::Linear acceleration =
        S::turn_back(s.rotation, parent_acceleration + S::spin(parent_alpha, s.position)) + x.bias_acceleration;
    if (!k.prescribed[node.v]) {
      switch (node.kind) {
        case NodeKind::revolute:
        case NodeKind::prismatic:
          a[node.v] = release_acceleration(node, x, alpha, acceleration);
          break;
        case NodeKind::spherical:
          if constexpr (!S::planar)
            a.template segment<3>(node.v) =
                release_acceleration(memory.spheres[i], k.spherical_axes[i], alpha, acceleration);
          break;
        case NodeKind::elastic:
        case NodeKind::fixed:
          break;
      }
    }
    s.alpha = S::from_column(alpha);
    s.acceleration = acceleration;
  }
  // Angular velocities and accelerations are those of the nodes now; linear velocities are not swept here.
  k.stage = k.stage != MotionStage::nothing && k.v == v ? MotionStage::acceleration : MotionStage::nothing;
  return {};
}

template Status articulated_forward(Kernel<Spatial>&, const VectorX&, const VectorX&, VectorX&);
template Status articulated_forward(Kernel<Planar>&, const VectorX&, const VectorX&, VectorX&);

}  // namespace lithe::detail
