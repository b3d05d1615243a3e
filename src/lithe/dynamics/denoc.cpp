#include "lithe/dynamics/denoc.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

int udu_solve(Eigen::Ref<MatrixX> G, Eigen::Ref<VectorX> b) {
  const Eigen::Index n = G.rows();
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const double alpha = G(k, k);
    if (!(alpha > 0.0)) return static_cast<int>(k);
    for (Eigen::Index i = 0; i < k; ++i) {
      const double u = G(i, k) / alpha;
      for (Eigen::Index j = 0; j <= i; ++j) G(j, i) -= u * G(j, k);
      b[i] -= u * b[k];
    }
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index j = 0; j < k; ++j) b[k] -= G(j, k) * b[j];
    b[k] /= G(k, k);
  }
  return -1;
}

template <class S>
Denoc<S>::Denoc(const Compiled& compiled, const DenocLayout& layout)
    : nv_(compiled.nv),
      platform_node_(compiled.links[layout.platform].node),
      platform_centre_(centre_on_node<S>(compiled, layout.platform)) {
  scale.setOnes();
  scale.template head<S::angular_size>().setConstant(compiled.length);
  const double share = 1.0 / static_cast<double>(layout.legs.size());
  std::vector<int> loaded;  // fixed joints put several links, and the cut platform several sections, on one node
  for (const auto& steps : layout.legs) {
    legs.emplace_back(compiled, steps, share);
    for (LegBody<S>& body : legs.back().bodies) {
      body.takes_load = std::find(loaded.begin(), loaded.end(), body.node) == loaded.end();
      loaded.push_back(body.node);
    }
  }
  K.setIdentity();
  platform_twist.setZero();
  platform_rate.setZero();
  sum_pbar.setZero();
  P.setZero();
}

template <class S>
void Denoc<S>::select(const std::vector<int>& speeds) {
  if (!place_.empty() && speeds == independent) return;
  independent = speeds;
  place_.assign(nv_, -1);
  for (std::size_t i = 0; i < speeds.size(); ++i) place_[speeds[i]] = static_cast<int>(i);
  for (DenocLeg<S>& leg : legs) leg.select(place_);
  const Eigen::Index n = std::ssize(speeds);
  J_P.setZero(N, n);
  G.setZero(n, n);
  reduced_.setZero(n, n);
  required.setZero(n);
  rates_.setZero(n);
  accelerations_.setZero(n);
  right_.setZero(n);
  free_.reserve(speeds.size());
}

template <class S>
Status Denoc<S>::update_geometry(const Kernel<S>& kernel) {
  P = platform_centre_;
  if (platform_node_ >= 0) {
    const NodeState<S>& node = kernel.nodes[platform_node_];
    P = node.world_position + S::turn(node.world_rotation, platform_centre_);
  }
  K.setZero();
  for (DenocLeg<S>& leg : legs) {
    if (!leg.update_geometry(kernel, P, scale[0])) return {Status::Code::singular_closure, -1, 1e12};
    K += leg.Phi;
  }
  // The ratio of the extreme pivots is a cheap and sufficient stand-in for the condition number.
  K_factor.compute(K);
  const TwistVector<S> pivots = K_factor.matrixLLT().diagonal().cwiseAbs2();
  const double ratio = K_factor.info() == Eigen::Success ? pivots.minCoeff() / pivots.maxCoeff() : 0.0;
  if (!(ratio > tolerance::singular_closure)) return {Status::Code::singular_closure, -1, 1.0 / ratio};
  J_P.setZero();
  for (const DenocLeg<S>& leg : legs) {
    for (const int k : leg.active) {
      J_P.col(leg.columns[k].independent) = solve_platform(leg.Phi * scale.cwiseProduct(leg.g.col(k)));
    }
  }
  return {};
}

template <class S>
void Denoc<S>::update_velocity(const VectorX& rates) {
  platform_twist.setZero();
  for (Eigen::Index i = 0; i < rates.size(); ++i) platform_twist += J_P.col(i) * rates[i];
  for (DenocLeg<S>& leg : legs) leg.update_velocity(platform_twist, rates);
}

template <class S>
void Denoc<S>::update_acceleration(const VectorX& accelerations) {
  TwistVector<S> sum = TwistVector<S>::Zero();
  for (const DenocLeg<S>& leg : legs) {
    sum += leg.Phi * scale.cwiseProduct(leg.tip_bias + leg.active_twist(accelerations));
  }
  platform_rate = solve_platform(sum);
  for (DenocLeg<S>& leg : legs) leg.update_acceleration(platform_rate, accelerations);
}

template <class S>
void Denoc<S>::update_forces(const Kernel<S>& kernel, const VectorX& force) {
  sum_pbar.setZero();
  for (DenocLeg<S>& leg : legs) {
    leg.update_forces(kernel, force);
    sum_pbar += leg.pbar;
  }
  // S^j G_a^j are the columns of J_P that belong to leg j.
  for (const DenocLeg<S>& leg : legs) {
    for (const int k : leg.active) {
      const int i = leg.columns[k].independent;
      required[i] = leg.tau[k] + J_P.col(i).dot(sum_pbar) - leg.g.col(k).dot(leg.pbar);
    }
  }
}

template <class S>
void Denoc<S>::update_inertia() {
  TwistMatrix<S> platform = TwistMatrix<S>::Zero();
  for (DenocLeg<S>& leg : legs) {
    leg.update_inertia();
    platform += leg.platform_inertia;
  }
  const Eigen::Index n = G.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const TwistVector<S> felt = platform * J_P.col(j);
    for (Eigen::Index i = 0; i <= j; ++i) G(i, j) = G(j, i) = J_P.col(i).dot(felt);
  }
  for (const DenocLeg<S>& leg : legs) {
    for (std::size_t b = 0; b < leg.active.size(); ++b) {
      const int j = leg.columns[leg.active[b]].independent;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double term = J_P.col(i).dot(leg.coupling.col(b));
        G(i, j) += term;
        G(j, i) += term;
      }
      for (std::size_t a = 0; a < leg.active.size(); ++a) {
        G(leg.columns[leg.active[a]].independent, j) += leg.active_inertia(a, b);
      }
    }
  }
}

template <class S>
Status Denoc<S>::solve_accelerations(const Kernel<S>& kernel) {
  free_.clear();
  for (int i = 0; i < std::ssize(independent); ++i) {
    if (!kernel.prescribed[independent[i]]) free_.push_back(i);
  }
  const Eigen::Index n = std::ssize(free_);
  for (Eigen::Index j = 0; j < n; ++j) {
    right_[j] = -required[free_[j]];
    for (Eigen::Index i = 0; i < n; ++i) {
      reduced_(i, j) = G(free_[i], free_[j]);
    }
  }
  const int bad = udu_solve(reduced_.topLeftCorner(n, n), right_.head(n));
  if (bad >= 0) {
    const int place = free_[bad];
    return {Status::Code::singular_inertia, independent[place], 0.0};
  }
  for (Eigen::Index i = 0; i < n; ++i) accelerations_[free_[i]] = right_[i];
  return {};
}

template <class S>
void Denoc<S>::scatter(VectorX& a) const {
  for (const DenocLeg<S>& leg : legs) {
    for (std::size_t k = 0; k < leg.columns.size(); ++k) {
      if (leg.columns[k].speed < nv_) a[leg.columns[k].speed] = leg.acceleration[k];
    }
  }
}

template <class S>
Status Denoc<S>::forward(const Kernel<S>& kernel, const VectorX& v, const VectorX& force, VectorX& a) {
  if (Status status = update_geometry(kernel); !status) return status;
  for (std::size_t i = 0; i < independent.size(); ++i) {
    rates_[i] = v[independent[i]];
    accelerations_[i] = kernel.prescribed[independent[i]] ? a[independent[i]] : 0.0;
  }
  update_velocity(rates_);
  update_acceleration(accelerations_);
  update_forces(kernel, force);
  update_inertia();
  if (Status status = solve_accelerations(kernel); !status) return status;
  update_acceleration(accelerations_);
  scatter(a);
  return {};
}

template class Denoc<Spatial>;
template class Denoc<Planar>;

}  // namespace lithe::detail
