#pragma once
// Memory of Equations::jacobian().

#include <vector>

#include "lithe/dynamics/derivatives.hpp"

namespace lithe::detail {

struct JacobianMemory {
  explicit JacobianMemory(const Plan& plan) : moved_actions(plan) {}

  ForwardDerivatives exact;
  MatrixX complement;       ///< N: tree speeds per independent speed
  std::vector<int> forces;  ///< joint forces that hang on the state: indices into Actions::tau
  State moved;
  Actions moved_actions;
  MatrixX force_slopes;  ///< of all joint forces, by independent coordinates and then speeds
  MatrixX power_slopes;  ///< of the powers that go in and are lost, the same
  VectorX dq, dv, rate;
};

}  // namespace lithe::detail
