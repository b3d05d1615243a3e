#pragma once
// One state after the other, with forces from outside: sampled controllers with a memory, hardware in the loop,
// learning. For a motion as exact as possible, with drives, laws and a record, use run_simulation().

#include <array>

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
  /// Puts the stage y = [q; v] at time t onto the closures.
  Status place(Workspace& work, double t, const VectorX& y);
  /// Rates of the coordinates and accelerations at the stage.
  Status rates(Workspace& work, const Actions& actions, VectorX& rate);

  const Plan& plan_;
  State stage_;
  std::array<VectorX, 4> k_;
  VectorX y_, argument_, next_, qdot_, a_;
};

}  // namespace lithe
