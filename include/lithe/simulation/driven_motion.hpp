#pragma once
// The state of a model at chosen instants of its motion laws: positions by continuity, speeds, accelerations, forces.

#include <map>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {

/// Elastic coordinates of one link and their rates.
struct Bending {
  VectorX amounts, rates;
};

class DrivenMotion {
 public:
  /// Prepares the model at its start time; `model` must outlive this object. Throws as prepare() does.
  explicit DrivenMotion(const Model& model);

  /// True when the motion laws determine all independent speeds.
  bool is_complete() const { return is_complete_; }

  /// Follows the laws to time t, forwards or backwards, in small steps. Throws PhysicsError when a loop does not close.
  void go_to(double t);

  /// Bends links (by index) to the given elastic coordinates and rates, in small steps, at the present time.
  void bend(const std::map<int, Bending>& links);

  /// Forces of the motors of the model for the present motion, [tree; cut] speeds.
  VectorX motor_forces();

  /// The loads of the model at the present time, with the given joint forces.
  Actions actions(const VectorX& tau) const;

  /// Throws PhysicsError with the present time when something went wrong.
  void require(const Status& status) const;

  const Plan& plan() const { return prepared_.plan; }
  Workspace& work() { return prepared_.work; }
  const Workspace& work() const { return prepared_.work; }
  const State& state() const { return prepared_.state; }
  const VectorX& accelerations() const { return accelerations_; }
  const Remarks& remarks() const { return prepared_.remarks; }  ///< of the start

 private:
  struct Followed {
    int q = 0, v = 0;  ///< places in the state
    const Law* law = nullptr;
  };
  const Model& model_;
  Prepared prepared_;
  std::vector<Followed> followed_;
  VectorX accelerations_;
  bool is_complete_ = false;
};

}  // namespace lithe
