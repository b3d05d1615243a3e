#pragma once
// Polynomials through the start, middle and end of a step, and what the oscillators of a modal basis answer to them.

#include <array>

#include "lithe/simulation/modal_basis.hpp"

namespace lithe::detail {

/// value + slope tau + bend tau^2 at the part tau of a step.
struct NodePolynomial {
  double value = 0.0, slope = 0.0, bend = 0.0;

  void through(double start, double middle, double end) {
    value = start;
    slope = 4.0 * middle - 3.0 * start - end;
    bend = 2.0 * (start - 2.0 * middle + end);
  }
  /// Integral from the start to tau, in units of the step.
  double sum(double tau) const { return tau * (value + tau * (slope / 2.0 + tau * bend / 3.0)); }
};

/// The same for all oscillators.
struct ForcePolynomial {
  VectorX value, slope, bend;

  void through(const VectorX& start, const VectorX& middle, const VectorX& end);
  /// From the values at the nodes of the step before, which was `ratio` times as long.
  void extrapolate(const std::array<VectorX, 3>& before, double ratio);
  void at(double tau, VectorX& force) const { force = value + tau * (slope + tau * bend); }
};

/// Oscillators after the same time.
class ModalAnswer {
 public:
  void after(double t, const ModalBasis& basis);

  /// Energy that their own damping takes until then, J. Exact, however often they swing.
  double dissipation(double tau, const VectorX& start, const ForcePolynomial& force, const ModalBasis& basis) const;

  /// Those that start at zero with speed `start`, at the part tau of a step under `force`.
  void motion(double tau, const VectorX& start, const ForcePolynomial& force, VectorX& xi, VectorX& rate) const;

  /// By how much the speed of oscillator k at the part tau changes with the force at the middle and at the end of the
  /// step, s.
  struct SpeedSlopes {
    double middle, end;
  };
  SpeedSlopes speed_slopes(double tau, Eigen::Index k) const;

 private:
  double t_ = 0.0;
  MatrixX e_;  ///< rows: E_k; columns: oscillators
};

}  // namespace lithe::detail
