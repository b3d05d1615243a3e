#include "lithe/analysis/held_rest.hpp"

#include <algorithm>

#include "lithe/kinematics/motion.hpp"
#include "lithe/kinematics/physics_error.hpp"

namespace lithe {

HeldRest rest_with_motors_held(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                               const std::vector<int>& motors) {
  HeldRest found;
  for (const int v : motors)
    if (v < plan.nv()) found.held.push_back(v);
  if (Status status = select_independent(plan, work, start.q, found.held); !status)
    throw PhysicsError(describe(plan, status, start.t));
  std::vector<int> joints = found.held;  // with which no joint moves
  for (const int v : work.independent())
    if (!plan.is_bending(v) && std::find(joints.begin(), joints.end(), v) == joints.end()) joints.push_back(v);
  const bool motors_hold_alone = found.held.size() == motors.size();
  if (motors_hold_alone && joints.size() > found.held.size()) {
    try {
      found.rest = find_equilibrium(plan, work, start, actions, found.held);
      return found;
    } catch (const PhysicsError&) {
      // Nothing nearby: the joints stay where they are.
    }
  }
  found.settled = joints.size() == found.held.size();
  found.held = joints;
  found.rest = find_equilibrium(plan, work, start, actions, found.held);
  return found;
}

}  // namespace lithe
