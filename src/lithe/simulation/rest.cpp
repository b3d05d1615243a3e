#include "lithe/simulation/rest.hpp"

#include <fmt/format.h>

#include "lithe/kinematics/motion.hpp"
#include "lithe/mechanism/own_places.hpp"
#include "lithe/simulation/asked_pose.hpp"
#include "lithe/simulation/left_out.hpp"

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

namespace {

/// Statics knows no hard stops: a rest beyond one is none.
void require_within_hard_stops(const Plan& plan, Workspace& work, const VectorX& q) {
  constexpr double rounding = 1e-9;  // rad, or characteristic lengths
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  const std::vector<Joint>& joints = plan.mechanism().joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    for (std::size_t k = 0; k < joints[j].stops.size(); ++k) {
      const JointStop& stop = joints[j].stops[k];
      if (!stop.is_given() || stop.stiffness > 0.0) continue;
      const double at = (place.cut ? cut_q : q)[place.q + static_cast<Eigen::Index>(k)];
      if (at >= stop.lower - rounding && at <= stop.upper + rounding) continue;
      throw PhysicsError(
          fmt::format("the equilibrium that was found has joint '{}' at {:.6g}, beyond its hard stop at {:.6g}, which "
                      "statics leaves out; give the stop a stiffness",
                      joints[j].name, at, at < stop.lower ? stop.lower : stop.upper));
    }
  }
}

}  // namespace

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
  require_within_hard_stops(plan(), work(), rest_.state.q);
  if (const std::string left_out = detail::what_is_left_out(plan(), work(), rest_.state, locked_); !left_out.empty())
    remarks_.notes.push_back("the rest is the one without " + left_out);
}

std::vector<Wrench> ModelAtRest::reactions() {
  Actions acting = actions_;
  if (rest_.tau.size() > 0) acting.tau = rest_.tau;
  return joint_reactions(plan(), work(), rest_.state, VectorX::Zero(plan().nv()), acting);
}

}  // namespace lithe
