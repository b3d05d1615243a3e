#include "lithe/dynamics/denoc_leg.hpp"

#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

template <class S>
DenocLeg<S>::DenocLeg(const Compiled& compiled, const std::vector<LegStep>& steps, double share)
    : gravity_(linear_on_node<S>(compiled, -1, compiled.mechanism.gravity)) {
  for (const LegStep& step : steps) append_body(compiled, step, &step == &steps.back() ? share : 1.0, columns, bodies);
  const Eigen::Index n = std::ssize(columns);
  g.setZero(N, n);
  swept.setZero(N, n);
  dual.setZero(N, n);
  delta.setZero(n);
  rate.setZero(n);
  acceleration.setZero(n);
  tau.setZero(n);
  inertia.setZero(n, n);
  Phi.setIdentity();
  platform_inertia.setZero();
  twist.assign(bodies.size(), TwistVector<S>::Zero());
  twist_bias = twist_rate = twist;
  world_.resize(bodies.size());
}

template <class S>
void DenocLeg<S>::select(const std::vector<int>& place) {
  active.clear();
  passive.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const int speed = columns[k].speed;
    columns[k].independent = speed < std::ssize(place) ? place[speed] : -1;
    (columns[k].independent < 0 ? passive : active).push_back(static_cast<int>(k));
  }
  coupling.setZero(N, active.size());
  active_inertia.setZero(coupling.cols(), coupling.cols());
}

template <class S>
bool DenocLeg<S>::update_geometry(const Kernel<S>& kernel, const typename S::Linear& P, double length) {
  P_ = P;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const LegBody<S>& body = bodies[i];
    world_[i].rotation = world_rotation(kernel, body.node);
    world_[i].arm = world_point<S>(kernel, body.node, body.centre) - P;
    world_[i].hinge = P - world_point<S>(kernel, body.to_node, body.to_origin);
    for (int k = body.first; k < body.first + body.count; ++k) {
      g.col(k) = generator_at(kernel, columns[k], world_[i].hinge);
    }
  }

  // Annihilate the passive generators from the tip to the base; projecting twice keeps Phi a projector to round-off.
  TwistVector<S> scale = TwistVector<S>::Ones();
  scale.template head<S::angular_size>().setConstant(length);
  Phi.setIdentity();
  for (auto it = passive.rbegin(); it != passive.rend(); ++it) {
    const TwistVector<S> scaled = scale.cwiseProduct(g.col(*it));
    const TwistVector<S> once = Phi * scaled;
    const TwistVector<S> p = Phi * once;
    swept.col(*it) = p;
    delta[*it] = p.squaredNorm();
    if (delta[*it] < tolerance::singular_leg * scaled.squaredNorm()) return false;
    Phi -= p * p.transpose() / delta[*it];
  }
  // Passive joints that span all twists leave nothing to ask of the platform.
  if (static_cast<int>(passive.size()) == N) Phi.setZero();

  // Dual vectors, base to tip: a_k = p~_k/delta_k - sum over earlier passive l of a_l (p~_k . g_l)/delta_k.
  for (std::size_t i = 0; i < passive.size(); ++i) {
    const int k = passive[i];
    TwistVector<S> a = swept.col(k) / delta[k];
    for (std::size_t l = 0; l < i; ++l) {
      const TwistVector<S> earlier = scale.cwiseProduct(g.col(passive[l]));
      a -= dual.col(passive[l]).cwiseQuotient(scale) * (swept.col(k).dot(earlier) / delta[k]);
    }
    dual.col(k) = scale.cwiseProduct(a);
  }
  return true;
}

template <class S>
TwistVector<S> DenocLeg<S>::active_twist(const VectorX& independent) const {
  TwistVector<S> sum = TwistVector<S>::Zero();
  for (const int k : active) sum += g.col(k) * independent[columns[k].independent];
  return sum;
}

template <class S>
void DenocLeg<S>::update_velocity(const TwistVector<S>& platform_twist, const VectorX& independent_rates) {
  const TwistVector<S> rest = platform_twist - active_twist(independent_rates);
  for (const int k : active) rate[k] = independent_rates[columns[k].independent];
  for (const int k : passive) rate[k] = dual.col(k).dot(rest);

  TwistVector<S> before = TwistVector<S>::Zero();
  tip_bias.setZero();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const LegBody<S>& body = bodies[i];
    TwistVector<S> relative = TwistVector<S>::Zero();
    for (int k = body.first; k < body.first + body.count; ++k) relative += g.col(k) * rate[k];
    twist[i] = before + relative;
    const typename S::Angular inner = angular<S>(before), outer = angular<S>(twist[i]), turning = angular<S>(relative);

    // Rates of the generators: each axis turns with its link, and the arm hinge -> P changes as both points move.
    TwistVector<S> bias = TwistVector<S>::Zero();
    for (int k = body.first; k < body.first + body.count; ++k) {
      const LegColumn<S>& column = columns[k];
      const typename S::Angular owner = column.turns_with_outboard ? outer : inner;
      bias += generator_rate<S>(column, g.col(k), owner, world_[i].hinge) * rate[k];
    }
    typename S::Linear arm_rate = S::spin(outer, world_[i].hinge);
    if (!body.to_outboard) arm_rate = linear<S>(relative) + S::spin(inner, world_[i].hinge);
    bias.template tail<S::linear_size>() += S::spin(inner, linear<S>(relative)) + S::spin(turning, arm_rate);
    twist_bias[i] = bias;
    tip_bias += bias;
    before = twist[i];
  }
}

template <class S>
void DenocLeg<S>::update_acceleration(const TwistVector<S>& platform_rate, const VectorX& independent_accelerations) {
  const TwistVector<S> rest = platform_rate - tip_bias - active_twist(independent_accelerations);
  for (const int k : active) {
    acceleration[k] = independent_accelerations[columns[k].independent];
  }
  for (const int k : passive) acceleration[k] = dual.col(k).dot(rest);
  TwistVector<S> sum = TwistVector<S>::Zero();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum += twist_bias[i];
    for (int k = bodies[i].first; k < bodies[i].first + bodies[i].count; ++k) sum += g.col(k) * acceleration[k];
    twist_rate[i] = sum;
  }
}

template <class S>
void DenocLeg<S>::update_forces(const Kernel<S>& kernel, const VectorX& force) {
  TwistVector<S> carried = TwistVector<S>::Zero();
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const LegBody<S>& body = bodies[i];
    const typename S::Linear& arm = world_[i].arm;
    const typename S::Angular w = angular<S>(twist[i]), wd = angular<S>(twist_rate[i]);
    const typename S::Linear at_centre = linear<S>(twist_rate[i]) + S::spin(wd, arm) + S::spin(w, S::spin(w, arm));
    const TwistVector<S> needed = body_wrench<S>(body, world_[i].rotation, w, wd, at_centre - gravity_);
    carried += stacked<S>(angular<S>(needed) + S::moment(arm, linear<S>(needed)), linear<S>(needed));
    if (body.takes_load && body.node >= 0) carried -= load_about(kernel, body.node, P_);
    for (int k = body.first; k < body.first + body.count; ++k) {
      tau[k] = g.col(k).dot(carried) + columns[k].armature * acceleration[k] - force[columns[k].speed];
    }
  }
  pbar.setZero();
  for (const int k : passive) pbar += dual.col(k) * tau[k];
}

template <class S>
void DenocLeg<S>::update_inertia() {
  CompositeMass<S> outboard;
  if constexpr (!S::planar) outboard.second.setZero();
  for (std::size_t i = bodies.size(); i-- > 0;) {
    const LegBody<S>& body = bodies[i];
    outboard.mass += body.mass;
    outboard.first += body.mass * world_[i].arm;
    outboard.second += S::shift(body.inertia, world_[i].rotation, world_[i].arm, S::Linear::Zero(), body.mass);
    for (int k = body.first; k < body.first + body.count; ++k) {
      const TwistVector<S> moved = outboard.times(g.col(k));
      for (int l = 0; l <= k; ++l) inertia(k, l) = inertia(l, k) = g.col(l).dot(moved);
      inertia(k, k) += columns[k].armature;
    }
  }

  // With rates_p = A_p^T (t_P - G_a rates_a), I^j becomes a quadratic form in (t_P, rates_a).
  platform_inertia.setZero();
  for (const int k : passive) {
    TwistVector<S> row = TwistVector<S>::Zero();
    for (const int l : passive) row += dual.col(l) * inertia(k, l);
    platform_inertia += dual.col(k) * row.transpose();
  }
  const Eigen::Index count = std::ssize(active);
  for (Eigen::Index a = 0; a < count; ++a) {
    coupling.col(a).setZero();
    for (const int k : passive) coupling.col(a) += dual.col(k) * inertia(k, active[a]);
  }
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      const int ka = active[a], kb = active[b];
      active_inertia(a, b) = inertia(ka, kb) - coupling.col(a).dot(g.col(kb)) - coupling.col(b).dot(g.col(ka));
    }
  }
  for (Eigen::Index b = 0; b < count; ++b) {
    const TwistVector<S> locked = platform_inertia * g.col(active[b]);
    coupling.col(b) -= locked;
    for (Eigen::Index a = 0; a < count; ++a) {
      active_inertia(a, b) += g.col(active[a]).dot(locked);
    }
  }
}

template class DenocLeg<Spatial>;
template class DenocLeg<Planar>;

}  // namespace lithe::detail
