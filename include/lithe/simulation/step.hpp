#pragma once
// One state after the other, with forces from outside: sampled controllers with a memory, hardware in the loop,
// learning. For a motion as exact as possible, with drives, laws and a record, use run_simulation().

#include "lithe/dynamics/forward.hpp"

namespace lithe {

/// Runge-Kutta method of fourth order (the classical one) on the independent coordinates, forces held constant over a
/// step as a digital controller does. Elastic links need substeps shorter than about 2.8 / (2 pi f), where f is their
/// highest frequency (Hz).
class Stepper {
 public:
  /// `plan` must outlive this object.
  explicit Stepper(const Plan& plan);

  /// Moves `state`, which satisfies the closures, by dt (s) in `substeps` equal parts under constant `actions`; it
  /// satisfies the closures afterwards. select_independent() must have run. When a part fails, `state` stays at its
  /// beginning. No allocation after the first call.
  Status advance(Workspace& work, State& state, const Actions& actions, double dt, int substeps = 1);

 private:
  Status substep(Workspace& work, State& state, const Actions& actions, double h);
  /// The stage at q0 + h qdot, v0 + h a: puts it onto the closures.
  Status place(Workspace& work, const State& state, double h, const VectorX& qdot, const VectorX& a);
  /// Rates of the coordinates and accelerations at the stage.
  Status rates(Workspace& work, const Actions& actions, VectorX& qdot, VectorX& a);

  const Plan& plan_;
  State stage_;
  VectorX qdot_[4], a_[4], mean_qdot_, mean_a_;
};

}  // namespace lithe
