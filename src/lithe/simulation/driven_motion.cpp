#include "lithe/simulation/driven_motion.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/simulation/loads.hpp"

namespace lithe {
namespace {
constexpr double longest_pose_step = 0.01;  // s; small enough to stay on the branch
constexpr int bending_steps = 20;           // likewise
}  // namespace

DrivenMotion::DrivenMotion(const Model& model)
    : model_(model), prepared_(prepare(model, Arithmetic::automatic, Start::assembled)) {
  const Plan& plan = prepared_.plan;
  std::vector<int> keep;
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion()) continue;
    const int joint = plan.mechanism().find_joint(drive.joint);
    const JointPlace& place = plan.places()[static_cast<std::size_t>(joint)];
    if (place.cut || place.nq != place.nv) continue;
    followed_.push_back({place.q + drive.coordinate, place.v + drive.coordinate, &drive.follow});
    keep.push_back(place.v + drive.coordinate);
  }
  require(select_independent(plan, prepared_.work, prepared_.state.q, keep));
  std::vector<int> sorted = keep;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> independent = prepared_.work.independent();
  std::erase_if(independent, [&](int v) { return plan.is_bending(v); });
  is_complete_ = sorted == independent;
  accelerations_ = VectorX::Zero(plan.nv());
  go_to(model.run.from);
}

void DrivenMotion::require(const Status& status) const {
  if (!status) throw PhysicsError(describe(prepared_.plan, status, prepared_.state.t));
}

void DrivenMotion::go_to(double t) {
  State& state = prepared_.state;
  const double start = state.t;
  const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(t - start) / longest_pose_step)));
  for (int k = 1; k <= steps; ++k) {
    state.t = k == steps ? t : start + (t - start) * k / steps;
    for (const Followed& each : followed_) state.q[each.q] = each.law->at(state.t).value;
    require(project_positions(prepared_.plan, prepared_.work, state.q));
  }
  for (const Followed& each : followed_) {
    const Jet jet = each.law->at(t);
    state.v[each.v] = jet.rate;
    accelerations_[each.v] = jet.second;
  }
  require(complete_speeds(prepared_.plan, prepared_.work, state.q, state.v));
  require(complete_accelerations(prepared_.plan, prepared_.work, state, accelerations_));
}

void DrivenMotion::bend(const std::map<int, Bending>& links) {
  State& state = prepared_.state;
  const auto place_of = [&](int link) { return prepared_.plan.elastic_places()[static_cast<std::size_t>(link)]; };
  const VectorX straight = state.q;
  for (int k = 1; k <= bending_steps; ++k) {
    for (const auto& [link, bending] : links) {
      const ElasticPlace place = place_of(link);
      const VectorX before = straight.segment(place.q, place.count);
      state.q.segment(place.q, place.count) = before + (bending.amounts - before) * k / bending_steps;
      state.v.segment(place.v, place.count) = bending.rates;
    }
    require(project_positions(prepared_.plan, prepared_.work, state.q));
  }
  go_to(state.t);
}

Actions DrivenMotion::actions(const VectorX& tau) const {
  Actions actions(prepared_.plan);
  actions.tau = tau;
  evaluate_loads(model_, prepared_.state.t, actions);
  return actions;
}

VectorX DrivenMotion::motor_forces() {
  const Actions loads = actions(VectorX::Zero(prepared_.plan.nv() + prepared_.plan.cut_nv()));
  InverseResult result;
  inverse_dynamics(prepared_.plan, prepared_.work, prepared_.state, accelerations_, loads,
                   prepared_.plan.actuated_speeds(), result);
  require(result.status);
  return result.tau;
}

}  // namespace lithe
