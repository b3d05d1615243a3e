#include "pose_at_rest.hpp"

#include <fmt/format.h>

#include "model_options.hpp"

namespace lithe::cli {

PoseAtRest::PoseAtRest(const Model& model, const PoseOptions& options) : motion_(model) {
  if (options.at) {
    if (!motion_.is_complete())
      throw InputError(
          "--at needs motion laws ('follow') that determine the whole motion; without it the pose is that "
          "of the initial values");
    motion_.go_to(*options.at);
  }
  start_ = motion_.state();
  start_.v.setZero();
  if (!options.free_motors)
    for (const int v : plan().actuated_speeds()) {
      if (v >= plan().nv())
        throw InputError(
            fmt::format("motor '{}' closes a loop and cannot be locked; mark another joint of its loop "
                        "'cut: true' in the model",
                        plan().cut_speed_name(v - plan().nv())));
      locked_.push_back(v);
    }
  const Actions actions = motion_.actions(VectorX::Zero(plan().nv() + plan().cut_nv()));
  rest_ = find_equilibrium(plan(), work(), start_, actions, locked_);
}

}  // namespace lithe::cli
