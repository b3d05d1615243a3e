#pragma once
// Sweeps of a step where dampers couple the oscillators of a modal basis, as the derivative gain of a motor does: the forces
// at the middle and the end of the step change with the speeds there, which the forces make. What is linear in that
// is solved at once; plain sweeps would ask for steps shorter than the time constants of the dampers.

#include <Eigen/LU>

#include "lithe/simulation/modal_answer.hpp"

namespace lithe::detail {

class DampedSweep {
 public:
  /// Whether a step of this length gains by it.
  static bool is_needed(double h, const ModalBasis& basis) { return h * basis.coupling_rate() > least_coupling; }

  /// For steps of length h, whose oscillators answer by `half` and `full`; `is_new_basis`: not that of the last call.
  void prepare(double h, const ModalBasis& basis, const ModalAnswer& half, const ModalAnswer& full, bool is_new_basis);

  /// `found`: the forces evaluated at the motion under `middle` and `end`. Moves these two to where they agree with what
  /// would be found, as far as damping goes.
  void correct(const VectorX& found_middle, const VectorX& found_end, VectorX& middle, VectorX& end);

 private:
  static constexpr double least_coupling = 0.1;
  double h_ = 0.0;
  MatrixX system_;
  Eigen::PartialPivLU<MatrixX> factors_;
  VectorX residual_, change_;
};

}  // namespace lithe::detail
