// The integrals of Korayem and Shafei (13) in terms of the constants of ElasticBody at the present bending, with s the
// place of a mass point in node axes, s_f its derivative by the elastic coordinate f (translation, rotation and
// second_slope below are int s_f, int s x s_f and the derivative of J):
//   B3 = int s~ -> first      B9 = int s~^T s~ = J -> second     alpha_f = int s x s_f -> rotation
//   B2 = int s'~ -> translation eta'                             beta_f: w^T beta_f w = 1/2 w^T dJ/deta_f w
//   2 B8 w = 2 int s x (w x s') = J' w + w x h,  h = int s x s' = rotation eta'

#include "lithe/dynamics/acceleration_energy.hpp"

namespace lithe::detail {

template <class S>
NodeWrench<S> inertial_gradient(const Kernel<S>& k, std::size_t i, const NodeAcceleration<S>& x, VectorX& elastic) {
  const Node<S>& node = k.tables.nodes[i];
  const bool bends = node.kind == NodeKind::elastic;
  const typename S::Linear& first = bends ? k.bodies[node.body].first : node.first;
  const typename S::Moment2& second = bends ? k.bodies[node.body].second : node.second;
  NodeWrench<S> gradient;
  gradient.force = node.mass * x.linear + S::spin(x.alpha, first);
  gradient.moment = S::times(second, x.alpha) + S::moment(first, x.linear);
  if (!bends) return gradient;
  const BodyState<S>& b = k.bodies[node.body];
  for (int f = 0; f < node.nv; ++f)
    elastic[node.v + f] = b.translation.col(f).dot(x.linear) + b.rotation.col(f).dot(S::column(x.alpha));
  return gradient;
}

template <class S>
void add_bending_gradient(const Kernel<S>& k, std::size_t i, int t, NodeWrench<S>& frame, VectorX& elastic) {
  const Node<S>& node = k.tables.nodes[i];
  const BodyState<S>& b = k.bodies[node.body];
  frame.force += b.translation.col(t);
  frame.moment += S::from_column(b.rotation.col(t));
  for (int f = 0; f < node.nv; ++f)
    elastic[node.v + f] += k.tables.bodies[node.body].mass(f, t) + b.square.row(f).dot(b.square.row(t));
}

namespace {

/// The part of g that only a link that bends has.
template <class S>
void add_bending_velocity_gradient(const Kernel<S>& k, const Node<S>& node, NodeWrench<S>& frame, VectorX& elastic) {
  const ElasticBody<S>& body = k.tables.bodies[node.body];
  const BodyState<S>& b = k.bodies[node.body];
  const NodeState<S>& s = k.nodes[body.node];
  const auto& rate = b.rate;
  const auto& omega = S::column(s.omega);

  // Coriolis forces of the bending on the frame: 2 w x s' and 2 s x (w x s'), summed over the mass.
  const typename S::Linear slide = b.translation * rate;
  const typename S::Angular spin = S::from_column(b.rotation * rate);
  const Eigen::Matrix<double, ElasticBody<S>::moments, 1> growth = b.second_slope * rate;
  frame.force += S::spin(s.omega, typename S::Linear(2.0 * slide));
  frame.moment += S::times(S::moment2(growth), s.omega) + S::cross(s.omega, spin);

  // Centrifugal and Coriolis forces on the bending: s_f . w x (w x s) and 2 s_f . w x s'. Of the products of two shapes
  // the coupling holds the cross product once in each of its triangles, with opposite signs.
  const auto weights = S::moment2_weights(s.omega);
  for (int f = 0; f < body.count; ++f) {
    double sum = -0.5 * b.second_slope.col(f).dot(weights) - b.load[f];
    for (int c = 0; c < S::angular_size; ++c)
      for (int t = 0; t < body.count; ++t)
        sum += omega[c] * rate[t] * (body.coupling[c](t, f) - body.coupling[c](f, t));
    elastic[node.v + f] += sum;
  }

  // Where bending draws the link in, s'' = s_f eta_f'' - eta'^T S eta': the second part is there without acceleration.
  if (body.foreshortening[0].size() == 0) return;
  for (int a = 0; a < S::linear_size; ++a) frame.force[a] -= quadratic_form(body.foreshortening[a], rate);
  Eigen::Matrix<double, S::angular_size, 1> drawn;
  for (int c = 0; c < S::angular_size; ++c) drawn[c] = quadratic_form(body.coupling[c], rate);
  frame.moment += S::from_column(drawn);
  for (std::size_t r = 0; r < body.squares.size(); ++r) {
    const double moved = quadratic_form(body.squares[r], rate);
    for (int f = 0; f < body.count; ++f) elastic[node.v + f] += b.square(f, static_cast<Eigen::Index>(r)) * moved;
  }
}

}  // namespace

template <class S>
void add_velocity_gradient(const Kernel<S>& k, std::size_t i, NodeWrench<S>& frame, VectorX& elastic) {
  const Node<S>& node = k.tables.nodes[i];
  const NodeState<S>& s = k.nodes[i];
  const bool bends = node.kind == NodeKind::elastic;
  const typename S::Linear& first = bends ? k.bodies[node.body].first : node.first;
  const typename S::Moment2& second = bends ? k.bodies[node.body].second : node.second;
  frame.force += S::spin(s.omega, S::spin(s.omega, first)) - s.load_force;
  frame.moment += S::cross(s.omega, S::times(second, s.omega)) - s.load_moment;
  if (bends) add_bending_velocity_gradient(k, node, frame, elastic);
}

#define LITHE_INSTANTIATE(S)                                                                                     \
  template NodeWrench<S> inertial_gradient(const Kernel<S>&, std::size_t, const NodeAcceleration<S>&, VectorX&); \
  template void add_bending_gradient(const Kernel<S>&, std::size_t, int, NodeWrench<S>&, VectorX&);              \
  template void add_velocity_gradient(const Kernel<S>&, std::size_t, NodeWrench<S>&, VectorX&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
