#include "lithe/kinematics/figure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {

namespace {
constexpr double same_place = 1e-6;  ///< of the characteristic length
}

std::vector<Vec3> figure_of(const Plan& plan, Workspace& work, const VectorX& q) {
  std::vector<Vec3> places;
  const std::vector<LinkData>& links = plan.mechanism().links;
  for (std::size_t i = 1; i < links.size(); ++i) {
    for (std::size_t f = 0; f < links[i].frames.size(); ++f)
      places.push_back(frame_pose(plan, work, q, {static_cast<int>(i), static_cast<int>(f)}).position);
    places.push_back(frame_pose(plan, work, q, {static_cast<int>(i), 0}) * links[i].centre);
  }
  return places;
}

bool same_figure(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double length) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] - b[i]).norm() > same_place * length) return false;
  return true;
}

double distance_from_neutral(const Plan& plan, const VectorX& q, const VectorX& cut_q, std::size_t joint) {
  const JointPlace& place = plan.places()[joint];
  const JointFacts& facts = plan.mechanism().joints[joint].facts();
  const VectorX& all = place.cut ? cut_q : q;
  double sum = 0.0;
  for (int k = 0; k < facts.scalars(); ++k) {
    const double value = all[place.q + k];
    sum += std::pow(
        facts.is_angle(k) ? std::remainder(value, 2.0 * std::numbers::pi) : value / plan.characteristic_length(), 2);
  }
  if (facts.has_quaternion()) {
    const auto quaternion = all.segment<4>(place.q + place.nq - 4);
    sum += std::pow(2.0 * std::atan2(quaternion.tail<3>().norm(), std::abs(quaternion[0])), 2);
  }
  return std::sqrt(sum);
}

namespace {

/// Couplings count whole turns: none may be left out of one of their angles alone.
bool is_coupled(const Mechanism& mechanism, const CoordinateRef& coordinate) {
  return std::any_of(mechanism.couplings.begin(), mechanism.couplings.end(), [&](const Coupling& coupling) {
    return std::any_of(coupling.terms.begin(), coupling.terms.end(),
                       [&](const Coupling::Term& term) { return term.coordinate == coordinate; });
  });
}

}  // namespace

void count_turns(const Plan& plan, const VectorX& near, VectorX& q) {
  constexpr double turn = 2.0 * std::numbers::pi;
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    if (place.cut || place.nq != place.nv) continue;
    for (int k = 0; k < place.nq; ++k) {
      if (!plan.mechanism().joints[j].facts().is_angle(k) || is_coupled(plan.mechanism(), {static_cast<int>(j), k}))
        continue;
      double& value = q[place.q + k];
      const double moved = turn * std::round((value - near[place.q + k]) / turn);
      if (moved != 0.0) value -= moved;
    }
  }
}

}  // namespace lithe::detail
