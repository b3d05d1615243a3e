#include "lithe/simulation/row_forces.hpp"

#include <algorithm>

#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {
namespace {

/// Independent speeds but those of bending, which come last.
std::vector<int> independent_joints(const Plan& plan, const Workspace& work) {
  std::vector<int> speeds = work.independent();
  std::erase_if(speeds, [&](int v) { return plan.is_bending(v); });
  return speeds;
}

bool same(const Actions& a, const Actions& b) {
  const auto equal = [](const auto& x, const auto& y) { return x == y; };
  for (std::size_t i = 0; i < a.loads.size(); ++i)
    if (!equal(a.loads[i].force, b.loads[i].force) || !equal(a.loads[i].moment, b.loads[i].moment)) return false;
  for (std::size_t i = 0; i < a.line_loads.size(); ++i)
    if (!equal(a.line_loads[i].start, b.line_loads[i].start) || !equal(a.line_loads[i].end, b.line_loads[i].end))
      return false;
  return true;
}

}  // namespace

bool RowForces::are_motors_alone(const Plan& plan, const Workspace& work, const std::vector<int>& motors) {
  const std::vector<int> independent = independent_joints(plan, work);
  return !independent.empty() && independent.size() == motors.size() &&
         std::is_permutation(independent.begin(), independent.end(), motors.begin());
}

RowForces::RowForces(const Plan& plan, const Workspace& like, Row finished)
    : plan_(plan), motors_(independent_joints(plan, like)), finished_(std::move(finished)), batch_(plan, like) {
  waiting_.resize(lanes, Waiting{State{}, VectorX(), Actions(plan)});
  q_.resize(plan.nq(), lanes);
  v_.resize(plan.nv(), lanes);
  a_.resize(plan.nv(), lanes);
  force_.resize(std::ssize(like.independent()), lanes);
}

RunStatus RowForces::add(const State& state, const VectorX& a, const Actions& loads) {
  Waiting& row = waiting_[count_++];
  row.state = state;
  row.a = a;
  row.actions = loads;
  return count_ == lanes ? finish() : RunStatus{};
}

bool RowForces::have_same_loads() const {
  return std::all_of(waiting_.begin() + 1, waiting_.begin() + count_,
                     [&](const Waiting& row) { return same(row.actions, waiting_[0].actions); });
}

std::vector<Status> RowForces::find_forces() {
  for (int k = 0; k < count_; ++k) {
    q_.col(k) = waiting_[k].state.q;
    v_.col(k) = waiting_[k].state.v;
    a_.col(k) = waiting_[k].a;
  }
  std::vector<Status> statuses;
  const int together = have_same_loads() ? count_ : 1;
  for (int k = 0; k < count_; k += together)
    for (const Status& status :
         batch_.inverse(q_.middleCols(k, together), v_.middleCols(k, together), a_.middleCols(k, together),
                        waiting_[k].actions, force_.middleCols(k, together)))
      statuses.push_back(status);
  return statuses;
}

RunStatus RowForces::finish() {
  if (count_ == 0) return {};
  const std::vector<Status> statuses = find_forces();
  const int rows = std::exchange(count_, 0);
  for (int k = 0; k < rows; ++k) {
    Waiting& row = waiting_[k];
    if (!statuses[k]) return {plan_, statuses[k], row.state.t};
    row.actions.tau.setZero();
    for (std::size_t j = 0; j < motors_.size(); ++j)
      row.actions.tau[motors_[j]] = force_(static_cast<Eigen::Index>(j), k);
    finished_(row.state, row.a, row.actions);
  }
  return {};
}

}  // namespace lithe::detail
