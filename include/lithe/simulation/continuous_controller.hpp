#pragma once
// Controllers in continuous time: their state is integrated with the motion.

#include "lithe/control/continuous_system.hpp"
#include "lithe/simulation/sampled_controller.hpp"

namespace lithe {

/// Acts on motors all the time, by what sensors read just then: exactly, but for their bias.
struct ContinuousController {
  std::string name;
  /// Switched on and off at these times; s. Off it exerts nothing and its state rests; whenever it is switched on it begins anew.
  double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity();
  std::vector<ControlInput> inputs;
  std::vector<std::string> drives;   ///< coordinates with motors, as Plan::speed_name() calls them
  std::vector<OutputLimits> limits;  ///< one for each of them; `rate` must be infinite
  std::vector<double> memory;        ///< its state (those of lags last) when it is switched on; empty: by itself
  /// A fresh one for each run.
  std::function<std::unique_ptr<ContinuousSystem>(const ControlSite& site)> begin;
};

}  // namespace lithe
