#pragma once
// A mechanism from a model file, timed by itself: the peers have no elastic links, and no such files.

#include <optional>
#include <vector>

#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/real_time.hpp"

namespace bench {

class FlexibleEngine {
 public:
  /// Random states about the initial pose of the model: independent coordinates moved, loops closed, random speeds and
  /// motor forces. Throws what prepare() throws.
  FlexibleEngine(const lithe::Model& model, int count, lithe::Arithmetic arithmetic = lithe::Arithmetic::automatic);

  void forward(int index);
  /// One fixed step of a millisecond.
  void step(int index);

 private:
  lithe::Prepared prepared_;
  std::vector<lithe::State> states_;
  std::vector<lithe::Actions> actions_;
  lithe::VectorX a_;
  std::optional<lithe::RealTimeStepper> stepper_;  ///< made by the first step: its matrices are dense
  lithe::State moved_;
};

}  // namespace bench
