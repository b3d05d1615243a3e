#include "lithe/simulation/rigid_twin.hpp"

#include <algorithm>

namespace lithe::detail {
namespace {

/// Without the joint that Cartesian coordinates have added: the twin is placed by its motors.
Mechanism rigid_mechanism(const Plan& elastic) {
  Mechanism twin = elastic.mechanism();
  if (elastic.options().coordinates == Coordinates::cartesian) twin.joints.pop_back();
  for (LinkData& link : twin.links) link = rigid_twin(link);
  return twin;
}

}  // namespace

RigidTwin::RigidTwin(const Plan& elastic) : plan_(rigid_mechanism(elastic)), work_(plan_), q_(plan_.neutral()) {
  for (std::size_t j = 0; j < plan_.mechanism().joints.size(); ++j) {
    const JointPlace &ours = plan_.places()[j], &theirs = elastic.places()[j];
    if (!ours.cut) sources_.push_back({theirs.cut, theirs.q, ours.q, ours.nq, false});
  }
}

bool RigidTwin::follow(const VectorX& q, const VectorX& cut_q) {
  guess_ = q_;
  take(q, cut_q, false, guess_);
  if (plan_.closure_count() == 0) {
    q_ = guess_;
    return true;
  }
  if (!started_) {
    started_ = true;
    usable_ = static_cast<bool>(assemble(plan_, work_, guess_).status);
    if (usable_) choose_independent();
    take(q, cut_q, false, guess_);
  }
  if (!usable_) return false;
  if (close(guess_)) return true;
  // The links may be bent so far that the twin of a moment ago is nearer.
  guess_ = q_;
  take(q, cut_q, true, guess_);
  return close(guess_);
}

/// At the guess, which is assembled: closures that are redundant are so only there.
void RigidTwin::choose_independent() {
  std::vector<int> motors;
  for (const int speed : plan_.actuated_speeds())
    if (speed < plan_.nv()) motors.push_back(speed);
  usable_ = static_cast<bool>(select_independent(plan_, work_, guess_, motors));
  held_ = work_.independent();
  std::size_t source = 0;
  for (const JointPlace& place : plan_.places()) {
    if (place.cut) continue;
    bool all = true;
    for (int i = 0; i < place.nv; ++i) all = all && std::binary_search(held_.begin(), held_.end(), place.v + i);
    sources_[source++].independent = all;
  }
}

void RigidTwin::take(const VectorX& q, const VectorX& cut_q, bool only_independent, VectorX& ours) const {
  for (const Source& source : sources_)
    if (source.independent || !only_independent)
      ours.segment(source.to, source.count) = (source.cut ? cut_q : q).segment(source.from, source.count);
}

bool RigidTwin::close(VectorX& ours) {
  constexpr double open = 1e-9;  // of the redundant closures, which the projection does not see
  if (!project_positions(plan_, work_, ours)) return false;
  if (closure_error(plan_, work_, ours) > open * std::max(1.0, plan_.characteristic_length())) return false;
  q_ = ours;
  return true;
}

}  // namespace lithe::detail
