#include "lithe/simulation/rest.hpp"

#include "lithe/mechanism/own_places.hpp"
#include "lithe/simulation/asked_pose.hpp"

namespace lithe {

Model static_twin(const Model& model) {
  Model twin = model;
  for (LinkData& link : twin.mechanism.links) link = static_twin(link);
  return twin;
}

std::vector<int> own_speeds(const Plan& twin, const Mechanism& mechanism) {
  return detail::own_places(twin, mechanism, twin.nv(), &ElasticPlace::v);
}

VectorX own_coordinates(const Plan& twin, const Mechanism& mechanism, const VectorX& q) {
  return q(detail::own_places(twin, mechanism, twin.nq(), &ElasticPlace::q));
}

ModelAtRest::ModelAtRest(const Model& model, const RestOptions& options) : motion_(model), actions_(motion_.plan()) {
  detail::go_to_asked_pose(motion_, options.at);
  start_ = motion_.state();
  start_.v.setZero();
  if (!options.free_motors) {
    for (const int v : plan().actuated_speeds()) {
      detail::require_lockable(plan(), v);
      locked_.push_back(v);
    }
  }
  actions_ = motion_.actions(VectorX::Zero(plan().nv() + plan().cut_nv()));
  rest_ = find_equilibrium(plan(), work(), start_, actions_, locked_);
}

std::vector<Wrench> ModelAtRest::reactions() {
  Actions acting = actions_;
  if (rest_.tau.size() > 0) acting.tau = rest_.tau;
  return joint_reactions(plan(), work(), rest_.state, VectorX::Zero(plan().nv()), acting);
}

}  // namespace lithe
