#pragma once
// Controllers with a memory that act at sample instants.

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lithe/control/held_output.hpp"
#include "lithe/control/sampled_system.hpp"
#include "lithe/kinematics/state.hpp"
#include "lithe/laws/law.hpp"

namespace lithe {

/// One number that a controller is given at each sample instant: a signal minus what is wanted of it.
struct ControlInput {
  std::string signal;  ///< of a sensor: "angle", "tip.x"; empty: none
  Law minus;           ///< a law of time that is subtracted
  /// A coordinate ("motor-1") whose wanted motion, by the drives of the model, is subtracted. Of an elastic coordinate
  /// ("boom.e1") that is how the wanted motion bends the link at rest in it, to first order; its rate counts as zero.
  std::string wanted;
  int derivative = 0;     ///< 1, 2: the speed or the acceleration of the wanted motion instead
  bool reversed = false;  ///< what is wanted minus the signal: an error
  /// What the sensor would read in the wanted motion is subtracted: joints as the drives want them, links bent as that bends
  /// them at rest in it, to first order.
  bool expected = false;
};

/// What a controller may know of the machine when a run begins.
struct ControlSite {
  const Plan& plan;
  const State& start;
};

/// Acts on motors at instants start + k sample; in between its forces are held.
struct SampledController {
  std::string name;
  double sample = 1e-3;  ///< s
  double delay = 0.0;    ///< from an instant until its forces act, s
  /// Switched on at this time, where the first instant is, and off at the other; s. A controller without `from` that some
  /// event starts waits for that.
  double from = -std::numeric_limits<double>::infinity(), until = std::numeric_limits<double>::infinity();
  std::vector<ControlInput> inputs;
  std::vector<std::string> drives;   ///< coordinates with motors, as Plan::speed_name() calls them
  std::vector<OutputLimits> limits;  ///< one for each of them
  std::vector<double> memory;        ///< SampledSystem::state() when it is switched on; empty: as it begins by itself
  /// A fresh one for each run.
  std::function<std::unique_ptr<SampledSystem>(const ControlSite& site)> begin;
};

}  // namespace lithe
