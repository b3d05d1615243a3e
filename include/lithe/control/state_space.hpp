#pragma once
// Linear systems in state-space form, in continuous time or sampled:
//
//   x' = A x + B u   or   x[k+1] = A x[k] + B u[k],   y = C x + D u

#include <complex>
#include <string>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

struct StateSpace {
  MatrixX A, B, C, D;
  double sample = 0.0;                               ///< s between samples; zero: continuous time
  std::vector<std::string> states, inputs, outputs;  ///< names; empty: none are known

  bool is_sampled() const { return sample > 0.0; }
};

/// Empty: sizes of matrices and numbers of names fit, all entries are numbers. Else what does not, and what was expected.
std::string why_inconsistent(const StateSpace& system);
/// Throws MechanismError when the sizes of the matrices or the numbers of names do not fit, or an entry is no number.
void require_consistent(const StateSpace& system);

/// The same with some of the inputs and outputs, in this order.
StateSpace select(const StateSpace& system, const std::vector<int>& inputs, const std::vector<int>& outputs);

/// The exact model at the sample instants k T of a system whose input is held between them (zero-order hold) and acts
/// `delay` later, by whole and fractional samples: inputs on their way are states, u[k-1] first. Throws MechanismError
/// for a system that is sampled already.
StateSpace sample(const StateSpace& system, double period, double delay = 0.0);

/// `second` is fed by the outputs of `first`; states of `first` come first.
StateSpace series(const StateSpace& first, const StateSpace& second);

/// The loop u = r + sign * (output of `controller`), which is fed by all outputs of `plant`: from r to the outputs of
/// the plant; states of the plant come first. Throws PhysicsError when the direct feedthrough of the loop has no
/// solution.
StateSpace feedback(const StateSpace& plant, const StateSpace& controller, double sign = -1.0);

/// The loop u = r - K x.
StateSpace state_feedback(const StateSpace& plant, const MatrixX& K);

/// An integrator per output in `outputs` behind the plant: states xi' = y, or xi[k+1] = xi[k] + T y[k].
StateSpace with_integrators(const StateSpace& plant, const std::vector<int>& outputs);

/// A pole s of a system, or z of a sampled one with s = log(z)/T.
struct Pole {
  std::complex<double> value;  ///< s (1/s) or z
  std::complex<double> rate;   ///< s (1/s)
  double frequency() const;    ///< |s|/2 pi, Hz
  double damping() const;      ///< -Re s/|s|; 1 of a pole at zero
  bool is_stable() const { return rate.real() < 0.0; }
};
/// By rising size of the imaginary part.
std::vector<Pole> poles(const StateSpace& system);
bool is_stable(const StateSpace& system);

}  // namespace lithe
