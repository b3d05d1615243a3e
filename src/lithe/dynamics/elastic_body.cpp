#include "lithe/dynamics/elastic_body.hpp"

#include <cmath>

namespace lithe::detail {

template <class S>
void elastic_inertia_forces(Kernel<S>& k, int index, VectorX& force) {
  const ElasticBody<S>& body = k.tables.bodies[index];
  const double mass = k.tables.nodes[body.node].mass;
  const BodyState<S>& b = k.bodies[index];
  NodeState<S>& s = k.nodes[body.node];
  const VectorX& rate = b.rate;

  // Rates of the first moment, of the second moment, and of the moment of momentum of the bending itself.
  typename S::Linear first_rate = combine(b.translation, rate), bending = combine(b.translation, b.acceleration);
  if (body.foreshortening[0].size() > 0)
    for (int a = 0; a < S::linear_size; ++a) bending[a] -= quadratic_form(body.foreshortening[a], rate);
  const typename S::Moment2 second_rate = S::moment2(combine(b.second_slope, rate));
  Eigen::Matrix<double, S::angular_size, 1> momentum = combine(b.rotation, rate);
  Eigen::Matrix<double, S::angular_size, 1> momentum_rate = combine(b.rotation, b.acceleration);
  for (int c = 0; c < S::angular_size; ++c) momentum_rate[c] += quadratic_form(body.coupling[c], rate);

  s.force = mass * s.acceleration + S::spin(s.alpha, b.first) + S::spin(s.omega, S::spin(s.omega, b.first)) +
            2.0 * S::spin(s.omega, first_rate) + bending - s.load_force;
  s.moment = S::times(b.second, s.alpha) + S::moment(b.first, s.acceleration) +
             S::cross(s.omega, S::times(b.second, s.omega) + S::from_column(momentum)) +
             S::times(second_rate, s.omega) + S::from_column(momentum_rate) - s.load_moment;

  const auto weights = S::moment2_weights(s.omega);
  for (int j = 0; j < body.count; ++j) {
    double sum = b.translation.col(j).dot(s.acceleration) + b.rotation.col(j).dot(S::column(s.alpha)) -
                 0.5 * b.second_slope.col(j).dot(weights) - b.load[j];
    sum += column_product(body.mass, j, b.acceleration);
    // Coriolis forces of the elastic speeds among themselves: omega . (coupling^T - coupling) eta'.
    for (int c = 0; c < S::angular_size; ++c)
      sum += S::column(s.omega)[c] * (column_product(body.coupling[c], j, rate) - body.coupling[c].row(j).dot(rate));
    force[body.v + j] = sum;
  }
  // The foreshortening moves mass as well: (S eta) (eta''^T S eta + eta'^T S eta').
  for (std::size_t r = 0; r < body.squares.size(); ++r) {
    const auto slope = b.square.col(static_cast<Eigen::Index>(r));
    const double moved = slope.dot(b.acceleration) + quadratic_form(body.squares[r], rate);
    for (int j = 0; j < body.count; ++j) force[body.v + j] += slope[j] * moved;
  }
}

template <class S>
void add_elastic_forces(const Kernel<S>& k, const State& state, VectorX& force) {
  for (const ElasticBody<S>& body : k.tables.bodies)
    for (int j = 0; j < body.count; ++j)
      force[body.v + j] -= column_product(body.stiffness, j, state.q.segment(body.q, body.count)) +
                           column_product(body.damping, j, state.v.segment(body.v, body.count));
}

template <class S>
double elastic_kinetic_energy(const Kernel<S>& k, int index) {
  const ElasticBody<S>& body = k.tables.bodies[index];
  const BodyState<S>& b = k.bodies[index];
  const NodeState<S>& s = k.nodes[body.node];
  double shortening = 0.0;
  for (Eigen::Index r = 0; r < b.square.cols(); ++r) shortening += std::pow(b.square.col(r).dot(b.rate), 2);
  return 0.5 * k.tables.nodes[body.node].mass * s.velocity.squaredNorm() + s.velocity.dot(S::spin(s.omega, b.first)) +
         0.5 * S::dot(s.omega, S::times(b.second, s.omega)) + s.velocity.dot(b.translation * b.rate) +
         S::column(s.omega).dot(b.rotation * b.rate) + 0.5 * quadratic_form(body.mass, b.rate) + 0.5 * shortening;
}

#define LITHE_INSTANTIATE(S)                                                  \
  template void elastic_inertia_forces(Kernel<S>&, int, VectorX&);            \
  template void add_elastic_forces(const Kernel<S>&, const State&, VectorX&); \
  template double elastic_kinetic_energy(const Kernel<S>&, int);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail
