#include "lithe/simulation/asked_pose.hpp"

#include <fmt/format.h>

namespace lithe::detail {

void go_to_asked_pose(DrivenMotion& motion, const std::optional<double>& at) {
  if (!at) return;
  if (!motion.is_complete()) {
    throw MechanismError("pose",
                         "the pose at a time needs motion laws ('follow') that determine the whole motion; without a "
                         "time it is that of the initial values");
  }
  motion.go_to(*at);
}

void require_lockable(const Plan& plan, int motor) {
  if (motor < plan.nv()) return;
  const std::string& name = plan.speed_name(motor);
  throw MechanismError(name,
                       fmt::format("motor '{}' closes a loop and cannot be locked; mark another joint of its loop "
                                   "'cut: true' in the model",
                                   name));
}

}  // namespace lithe::detail
