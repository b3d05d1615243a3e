#pragma once
// Smaller models of linear systems.

#include "lithe/control/lyapunov.hpp"

namespace lithe {

/// x = right z and z = left x, left right = 1: which part of the state a small model keeps.
struct ReducedModel {
  StateSpace system;
  MatrixX left, right;
};

/// Keeps the modes of lowest |s| (of a sampled system: nearest to z = 1), at most `order` states; conjugate pairs stay
/// together. With `static_gain` the modes that go leave their answer at rest in D.
ReducedModel modal_truncation(const StateSpace& system, int order, bool static_gain = true);
/// Number of states whose modes are not faster than `frequency` (Hz).
int states_below(const StateSpace& system, double frequency);

struct BalancedModel {
  ReducedModel reduced;
  VectorX hankel;      ///< of the stable part, falling
  int unstable = 0;    ///< states of the part that does not decay; it is kept whole
  double bound = 0.0;  ///< twice the sum of the Hankel values that go: the largest |G - Gr| at any frequency
};
/// Balanced truncation by square roots of the Gramians. Poles that do not decay (rigid motions, with their poles at
/// zero) are split off first and kept. `order` counts them; it must not be less.
BalancedModel balanced_truncation(const StateSpace& system, int order);
/// The least order with a bound of at most `tolerance` times the largest Hankel value.
int balanced_order(const StateSpace& system, double tolerance);

/// Singular perturbation: the states `fast` take at once the values at which their rates vanish. Throws PhysicsError when
/// they have no such values.
StateSpace residualize(const StateSpace& system, const std::vector<int>& fast);

/// A system in two time scales: the slow one with the fast states at their quasi-static values, and the fast one with
/// the slow states held still.
struct TimeScales {
  StateSpace slow, fast;
  std::vector<Pole> slow_poles, fast_poles;
  double slowest_fast = 0.0, fastest_slow = 0.0;  ///< |s|, 1/s
  double ratio = 0.0;  ///< slowest_fast/fastest_slow; infinite when the slow poles are at zero
  /// Largest distance of a pole of the whole from its nearest one of the two, over its size; poles near zero (below 1e-6
  /// of the largest) are compared with the largest slow one.
  double pole_error = 0.0;
};
TimeScales separate_time_scales(const StateSpace& system, const std::vector<int>& fast);

}  // namespace lithe
