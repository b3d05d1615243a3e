#include "lithe/dynamics/section_forces.hpp"

#include <Eigen/Cholesky>

#include "lithe/dynamics/element_forces.hpp"
#include "lithe/dynamics/missing_forces.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/mechanism/own_places.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

/// Every link with its static coordinates, and with the damping of its own ones.
Mechanism static_mechanism(const Plan& plan) {
  Mechanism twin = plan.mechanism();
  // Cartesian coordinates add their joint again.
  if (plan.options().coordinates == Coordinates::cartesian) twin.joints.pop_back();
  for (LinkData& link : twin.links) {
    const MatrixX damping = link.elastic.damping;
    link = static_twin(link);
    if (damping.size() > 0) {
      link.elastic.damping.setZero(link.elastic.count(), link.elastic.count());
      link.elastic.damping.topLeftCorner(damping.rows(), damping.cols()) = damping;
    }
  }
  return twin;
}

/// Forces along the speeds of the twin that nothing supplies. The closures supply what the speeds `own` need, those of
/// the mechanism itself: A^T lambda = needed, of minimum norm where they are redundant, as for joint reactions.
VectorX lacking_forces(const Plan& twin, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                       const std::vector<int>& own) {
  const detail::Compiled& c = twin.compiled();
  detail::Kernel<detail::Spatial>& k = work.scratch().spatial(c);
  update_positions(k, state.q);
  update_world(k);
  update_motion(k, state.v, &a);
  update_bodies(k);
  VectorX lacking = missing_forces(k, state, a, with_elements(k, state, actions));
  if (k.row_count == 0) return lacking;
  update_closures(k);
  detail::RowMatrix scaled;
  scaled_jacobian(k, scaled);
  for (int j = 0; j < k.nv; ++j) lacking[j] *= c.speed_scale[j];
  const MatrixX own_rows = scaled(Eigen::all, own).transpose();
  lacking -=
      scaled.transpose() * detail::solve_minimum_norm(own_rows, VectorX(lacking(own)), detail::tolerance::rank).x;
  for (int j = 0; j < k.nv; ++j) lacking[j] /= c.speed_scale[j];
  return lacking;
}

}  // namespace

SectionRecovery::SectionRecovery(const Plan& plan)
    : plan_(plan), twin_(static_mechanism(plan), plan.options()), work_(twin_), actions_(twin_) {
  q_places_ = detail::own_places(twin_, plan.mechanism(), twin_.nq(), &ElasticPlace::q);
  v_places_ = detail::own_places(twin_, plan.mechanism(), twin_.nv(), &ElasticPlace::v);
  state_.q = twin_.neutral();
  state_.v = a_ = VectorX::Zero(twin_.nv());
  for (std::size_t i = 0; i < plan.mechanism().links.size(); ++i) {
    Link link;
    link.own = plan.mechanism().links[i].elastic.count();
    link.ours = plan.elastic_places()[i];
    link.twin = twin_.elastic_places()[i];
    link.amplitudes = VectorX::Zero(link.twin.count);
    if (const int rest = link.twin.count - link.own; rest > 0) {
      const MatrixX stiffness = twin_.mechanism().links[i].elastic.stiffness.bottomRightCorner(rest, rest);
      link.softness = stiffness.llt().solve(MatrixX(MatrixX::Identity(rest, rest)));
      is_complete_ = false;
    }
    links_.push_back(std::move(link));
  }
}

void SectionRecovery::update(const VectorX& q) {
  for (Link& link : links_) {
    if (link.own == 0) continue;
    link.amplitudes.setZero();
    link.amplitudes.head(link.own) = q.segment(link.ours.q, link.own);
  }
}

void SectionRecovery::update(const State& state, const VectorX& a, const Actions& actions) {
  update(state.q);
  if (is_complete_) return;
  state_.t = state.t;
  state_.q(q_places_) = state.q;
  state_.v(v_places_) = state.v;
  state_.x = state.x;
  a_(v_places_) = a;
  actions_.loads = actions.loads;
  actions_.line_loads = actions.line_loads;
  actions_.tau(v_places_) = actions.tau.head(plan_.nv());
  actions_.tau.tail(twin_.cut_nv()) = actions.tau.tail(plan_.cut_nv());
  // Force that each static coordinate lacks at rest: its stiffness has to supply it.
  const VectorX lacking = lacking_forces(twin_, work_, state_, a_, actions_, v_places_);
  for (Link& link : links_)
    if (const int rest = link.twin.count - link.own; rest > 0)
      link.amplitudes.tail(rest) = -link.softness * lacking.segment(link.twin.v + link.own, rest);
}

SectionForce SectionRecovery::forces(int link, int place) const {
  return twin_.mechanism().links[link].elastic.section_forces[place].rows * links_[link].amplitudes;
}

bool SectionRecovery::has(int link, int place, int c) const {
  return !twin_.mechanism().links[link].elastic.section_forces[place].rows.row(c).isZero(0.0);
}

}  // namespace lithe
