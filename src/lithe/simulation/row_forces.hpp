#pragma once
// Forces along a motion, four rows at once: states of one mechanism go side by side through the lanes of the processor.

#include <array>
#include <functional>
#include <vector>

#include "lithe/dynamics/batch.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

/// Rows wait for company, and are handed on in their order with the forces of their motors.
class RowForces {
 public:
  using Row = std::function<void(const State& state, const VectorX& a, const Actions& actions)>;

  /// Whether the motors are the independent joint speeds, so that their forces are those on the independent speeds.
  static bool are_motors_alone(const Plan& plan, const Workspace& work, const std::vector<int>& motors);

  /// `like` has its independent speeds, which stay as they are.
  RowForces(const Plan& plan, const Workspace& like, Row finished);

  /// The fourth one lets all of them go on.
  RunStatus add(const State& state, const VectorX& a, const Actions& loads);
  /// What still waits goes on; those behind one that fails do not.
  RunStatus finish();

 private:
  static constexpr int lanes = 4;
  struct Waiting {
    State state;
    VectorX a;
    Actions actions;
  };
  bool have_same_loads() const;
  std::vector<Status> find_forces();

  const Plan& plan_;
  std::vector<int> motors_;  ///< tree speeds, in the order of the independent ones
  Row finished_;
  Batch batch_;
  std::vector<Waiting> waiting_;
  int count_ = 0;  ///< of those that wait; the others are memory
  MatrixX q_, v_, a_, force_;
};

}  // namespace lithe::detail
