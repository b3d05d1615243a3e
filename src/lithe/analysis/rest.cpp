#include "lithe/analysis/rest.hpp"

#include <fmt/format.h>

namespace lithe {

ModelAtRest::ModelAtRest(const Model& model, const RestOptions& options) : motion_(model) {
  if (options.at) {
    if (!motion_.is_complete()) {
      throw MechanismError("pose",
                           "the pose at a time needs motion laws ('follow') that determine the whole motion; without a "
                           "time it is that of the initial values");
    }
    motion_.go_to(*options.at);
  }
  start_ = motion_.state();
  start_.v.setZero();
  if (!options.free_motors) {
    for (const int v : plan().actuated_speeds()) {
      if (v >= plan().nv()) {
        const std::string& name = plan().cut_speed_name(v - plan().nv());
        throw MechanismError(name, fmt::format("motor '{}' closes a loop and cannot be locked; mark another joint of "
                                               "its loop 'cut: true' in the model",
                                               name));
      }
      locked_.push_back(v);
    }
  }
  const Actions actions = motion_.actions(VectorX::Zero(plan().nv() + plan().cut_nv()));
  rest_ = find_equilibrium(plan(), work(), start_, actions, locked_);
}

}  // namespace lithe
