#include "reproduce/natural_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "lithe/analysis/linearize.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {

VectorX natural_frequencies(DrivenMotion& motion, bool motors_locked) {
  const Plan& plan = motion.plan();
  const std::vector<int> before = motion.work().independent();
  std::vector<int> locked;
  if (motors_locked) locked = plan.actuated_speeds();
  for (const int v : locked) {
    if (v >= plan.nv())
      throw CaseError(fmt::format("motor '{}' closes a loop and cannot be locked", plan.speed_name(v)));
  }
  State rest = motion.state();
  rest.v.setZero();
  motion.require(select_independent(plan, motion.work(), rest.q, locked));
  const std::vector<int>& independent = motion.work().independent();
  for (const int v : locked) {
    if (std::find(independent.begin(), independent.end(), v) == independent.end())
      throw PhysicsError(fmt::format("motor '{}' cannot be held beside the others in this pose", plan.speed_name(v)));
  }
  const Linearization linear = linearize(plan, motion.work(), rest, VectorX::Zero(plan.nv()), Actions(plan), locked);
  const NaturalModes modes = natural_modes(plan, motion.work(), rest.q, linear);
  motion.require(select_independent(plan, motion.work(), motion.state().q, before));
  return 2 * std::numbers::pi * modes.frequencies;
}

}  // namespace lithe::reproduce
