#pragma once
// What the drives of a model answer to deviations from a state: PD parts, force laws and controllers in code.

#include <memory>

#include "lithe/simulation/drive_set.hpp"

namespace lithe::detail {

class DriveFeedback {
 public:
  /// `state` is where nothing is answered. Throws as DriveSet does, and what a law in code throws.
  DriveFeedback(const Model& model, const Plan& plan, Workspace& work, const State& state);

  /// Motors with feedback, indices into [v; cut speeds]; none: add_forces() does nothing.
  const std::vector<int>& speeds() const { return speeds_; }

  /// Adds the forces at `state` beyond those at the first one, [tree; cut] speeds.
  void add_forces(const State& state, Workspace& work, VectorX& tau);

 private:
  void evaluate(const State& state, Workspace& work);

  Model drives_only_;
  std::vector<int> speeds_;
  std::unique_ptr<DriveSet> drives_;
  Actions actions_;
  VectorX first_;
};

}  // namespace lithe::detail
