#pragma once
// Estimates of the state from measured outputs, and controllers made of them.

#include "lithe/control/regulator.hpp"

namespace lithe {

/// xhat' = A xhat + B u + L (y - C xhat - D u), or the same for xhat[k+1] from what was measured up to k (predictor).
struct Observer {
  MatrixX L;
  MatrixX P;              ///< covariance of x - xhat (Kalman); sampled: before the measurement; empty: not known
  MatrixX filter;         ///< sampled Kalman filter: xhat[k|k] = xhat[k|k-1] + filter (y - C xhat[k|k-1] - D u)
  double residual = 0.0;  ///< of the Riccati equation
};

/// White noise: `states` is the intensity (covariance per second) of what is added to x', or the covariance of what is
/// added to x[k+1]; `outputs` likewise of what is added to y (continuous: covariance times seconds).
struct Noise {
  MatrixX states, outputs;
};

/// Intensity of independent white noises, of these densities, that are added to the inputs: B diag(density^2) B^T; of a
/// plant that is sampled with `period` (zero: it is not) the covariance that gathers between samples, inputs on their
/// way without noise.
MatrixX input_noise(const StateSpace& plant, const VectorX& densities, double period = 0.0, double delay = 0.0);

/// The estimate of least variance. Throws PhysicsError when the outputs do not see a mode that does not decay.
Observer kalman(const StateSpace& plant, const Noise& noise);

/// An observer whose error A - L C has given poles.
Observer luenberger(const StateSpace& plant, const std::vector<std::complex<double>>& wanted);

/// The controller from y to u: u = -K xhat; with integrators (`integrated`: which outputs, see with_integrators()) u = -K
/// [xhat; xi]. Its states are xhat, then xi. The loop is feedback(plant, compensator, +1).
StateSpace compensator(const StateSpace& plant, const MatrixX& K, const Observer& observer,
                       const std::vector<int>& integrated = {});

}  // namespace lithe
