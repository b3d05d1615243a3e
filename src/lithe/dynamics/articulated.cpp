#include "lithe/dynamics/articulated.hpp"

#include <Eigen/LU>

#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Of the cubed trace of the inertia about a ball: the three principal moments are zero but for rounding.
constexpr double vanishing_volume = 1e-36;

/// Articulated-body quantities of a node. Blocks: moment and force from angular and linear
/// acceleration.
template <class S>
struct Articulated {
  static constexpr int A = S::angular_size, L = S::linear_size;
  Eigen::Matrix<double, A, A> nn;  ///< moment per angular acceleration
  Eigen::Matrix<double, A, L> nf;  ///< moment per linear acceleration
  Eigen::Matrix<double, L, L> ff;  ///< force per linear acceleration
  Eigen::Matrix<double, A, 1> bias_moment, bias_alpha, axis_moment;
  Eigen::Matrix<double, L, 1> bias_force, bias_acceleration, axis_force;
  double inverse_inertia = 0.0, drive = 0.0;
};
/// The part of a spherical node that has three columns.
struct ArticulatedSphere {
  Mat3 axis_moment, axis_force, inverse_inertia;
  Vec3 drive;
};

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
  x.nn = S::square(node.second);
  // Moment of a linear acceleration: first x a = P(first)^T a, in space as in the plane.
  x.nf = S::swing_matrix(node.first).transpose();
  x.ff.setZero();
  x.ff.diagonal().setConstant(node.mass);
  x.bias_moment = S::column(S::cross(s.omega, S::times(node.second, s.omega)) - s.load_moment);
  x.bias_force = S::spin(s.omega, S::spin(s.omega, node.first)) - s.load_force;
}

/// Removes the joint's own freedom: inertia and bias as the parent feels them, still in node axes.
template <class S>
bool release_axis(const Node<S>& node, Articulated<S>& x, double force) {
  double inertia = 0.0, resisting = 0.0;
  if (node.kind == NodeKind::revolute) {
    x.axis_moment = node.sign * x.nn.col(S::turn_index);
    x.axis_force = node.sign * x.nf.row(S::turn_index).transpose();
    inertia = node.sign * x.axis_moment[S::turn_index];
    resisting = node.sign * x.bias_moment[S::turn_index];
  } else {
    x.axis_moment = x.nf.col(S::slide_index);
    x.axis_force = x.ff.col(S::slide_index);
    inertia = x.axis_force[S::slide_index];
    resisting = x.bias_force[S::slide_index];
  }
  const double scale = node.kind == NodeKind::revolute ? x.nn.trace() : x.ff.trace();
  if (!(inertia > tolerance::no_inertia * scale)) return false;
  x.inverse_inertia = 1.0 / inertia;
  x.drive = force - resisting;
  const Eigen::Matrix<double, Articulated<S>::A, 1> scaled_moment = x.axis_moment * x.inverse_inertia;
  const Eigen::Matrix<double, Articulated<S>::L, 1> scaled_force = x.axis_force * x.inverse_inertia;
  x.nn.noalias() -= x.axis_moment * scaled_moment.transpose();
  x.nf.noalias() -= scaled_moment * x.axis_force.transpose();
  x.ff.noalias() -= x.axis_force * scaled_force.transpose();
  x.bias_moment += scaled_moment * x.drive;
  x.bias_force += scaled_force * x.drive;
  return true;
}

bool release_sphere(const Kernel<Spatial>& k, std::size_t i, const VectorX& force, Articulated<Spatial>& x,
                    ArticulatedSphere& sphere) {
  const Node<Spatial>& node = k.tables.nodes[i];
  const Mat3& axes = k.spherical_axes[i];
  sphere.axis_moment = x.nn * axes;
  sphere.axis_force = x.nf.transpose() * axes;
  const Mat3 inertia = axes.transpose() * sphere.axis_moment;
  const double scale = inertia.trace();
  if (!(inertia.determinant() > vanishing_volume * scale * scale * scale)) return false;
  sphere.inverse_inertia = inertia.inverse();
  sphere.drive = force.segment<3>(node.v) - axes.transpose() * x.bias_moment;
  const Mat3 scaled_moment = sphere.axis_moment * sphere.inverse_inertia;
  const Mat3 scaled_force = sphere.axis_force * sphere.inverse_inertia;
  x.nn -= scaled_moment * sphere.axis_moment.transpose();
  x.nf -= scaled_moment * sphere.axis_force.transpose();
  x.ff -= scaled_force * sphere.axis_force.transpose();
  x.bias_moment += scaled_moment * sphere.drive;
  x.bias_force += scaled_force * sphere.drive;
  return true;
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
  const auto& R = S::matrix(s.rotation);
  const Eigen::Matrix<double, L, A> P = S::swing_matrix(s.position);
  Eigen::Matrix<double, A, A> nn;
  Eigen::Matrix<double, A, L> nf;
  Eigen::Matrix<double, L, L> ff;
  const Eigen::Matrix<double, A, 1> moment = x.bias_moment + x.nn * x.bias_alpha + x.nf * x.bias_acceleration;
  const Eigen::Matrix<double, L, 1> force = x.bias_force + x.nf.transpose() * x.bias_alpha + x.ff * x.bias_acceleration;
  const Eigen::Matrix<double, L, 1> outer_force = R * force;
  if constexpr (S::planar) {
    nn = x.nn;
    nf.noalias() = x.nf * R.transpose();
    parent.bias_moment += moment;
  } else {
    nn.noalias() = R * x.nn * R.transpose();
    nf.noalias() = R * x.nf * R.transpose();
    parent.bias_moment.noalias() += R * moment;
  }
  ff.noalias() = R * x.ff * R.transpose();
  parent.bias_moment.noalias() += P.transpose() * outer_force;
  parent.bias_force += outer_force;
  const Eigen::Matrix<double, L, A> swing = nf.transpose() + ff * P;
  parent.nn += nn + nf * P + P.transpose() * swing;
  parent.nf += swing.transpose();
  parent.ff += ff;
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
        case NodeKind::prismatic: {
          const double own = x.inverse_inertia * (x.drive - x.axis_moment.dot(alpha) - x.axis_force.dot(acceleration));
          a[node.v] = own;
          if (node.kind == NodeKind::revolute)
            alpha[S::turn_index] += node.sign * own;
          else
            acceleration[S::slide_index] += own;
          break;
        }
        case NodeKind::spherical:
          if constexpr (!S::planar) {
            const ArticulatedSphere& sphere = memory.spheres[i];
            const Vec3 own = sphere.inverse_inertia * (sphere.drive - sphere.axis_moment.transpose() * alpha -
                                                       sphere.axis_force.transpose() * acceleration);
            a.template segment<3>(node.v) = own;
            alpha += k.spherical_axes[i] * own;
          }
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
