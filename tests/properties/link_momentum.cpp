#include "properties/link_momentum.hpp"

namespace lithe::testing {

LinkMomentum link_momentum(Subject& subject, const State& state, int link) {
  const LinkData& data = subject.plan.mechanism().links[link];
  const ElasticData& e = data.elastic;
  const Pose pose = frame_pose(subject.plan, subject.work, state.q, {link, 0});
  const Twist twist = frame_velocity(subject.plan, subject.work, state, {link, 0});
  const Vec3 v = pose.rotation.transpose() * twist.linear, w = pose.rotation.transpose() * twist.angular;
  const ElasticPlace& place = subject.plan.elastic_places()[link];
  const VectorX eta = state.q.segment(place.q, place.count), rate = state.v.segment(place.v, place.count);
  const bool shortens = e.stiffening == Stiffening::consistent;

  // Integrals over r = x + Phi eta - 1/2 eta^T S eta and its rate, up to second order in eta and its rate together.
  Vec3 first = data.mass * data.centre, first_rate = Vec3::Zero(), spin = Vec3::Zero();
  Mat3 products = Mat3::Zero();  // growth of int r r^T
  for (int a = 0; a < 3 && place.count > 0; ++a) {
    first[a] += e.translation.row(a).dot(eta);
    first_rate[a] = e.translation.row(a).dot(rate);
    spin[a] = e.rotation.row(a).dot(rate);
    if (shortens) {
      first[a] -= 0.5 * eta.dot(e.foreshortening[a] * eta);
      first_rate[a] -= eta.dot(e.foreshortening[a] * rate);
    }
    for (int b = 0; b < 3; ++b) {
      products(a, b) =
          e.position_shape[a][b].dot(eta) + e.position_shape[b][a].dot(eta) + eta.dot(e.shape_shape[a][b] * eta);
      if (shortens)
        products(a, b) -= 0.5 * eta.dot((e.position_foreshortening[a][b] + e.position_foreshortening[b][a]) * eta);
    }
  }
  for (int c = 0; c < 3 && place.count > 0; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    spin[c] += eta.dot((e.shape_shape[a][b] - e.shape_shape[b][a]) * rate);
    if (shortens) spin[c] -= eta.dot((e.position_foreshortening[a][b] - e.position_foreshortening[b][a]) * rate);
  }
  const Mat3 cross = skew(data.centre);
  const Mat3 second = data.inertia - data.mass * cross * cross + products.trace() * Mat3::Identity() - products;

  const Vec3 p = data.mass * v + w.cross(first) + first_rate;
  const Vec3 l = second * w + first.cross(v) + spin;
  LinkMomentum m;
  m.linear = pose.rotation * p;
  m.angular = pose.rotation * l + pose.position.cross(m.linear);
  m.kinetic = 0.5 * (p.dot(v) + l.dot(w) + first_rate.dot(v) + spin.dot(w));
  if (place.count > 0) m.kinetic += 0.5 * rate.dot(e.mass * rate);
  if (shortens)
    for (const MatrixX& square : e.foreshortening_squares) m.kinetic += 0.5 * std::pow(rate.dot(square * eta), 2);
  m.weight_arm = data.mass * pose.position + pose.rotation * first;
  return m;
}

}  // namespace lithe::testing
