#pragma once
// From the linear model of a mechanism to a controller: reduction, sampling, integral action, feedback, observer, and what
// the whole model does with it.

#include <optional>

#include "lithe/control/observer.hpp"
#include "lithe/control/reduction.hpp"
#include "lithe/control/response.hpp"

namespace lithe {

enum class ModelReduction {
  none,
  modal,     ///< the slowest modes
  balanced,  ///< what the inputs reach and the outputs see best; modes that do not decay stay
  slow,      ///< the fast states take their quasi-static values
  fast,      ///< the slow states stand still: feedback of the fast ones alone
  /// Slow feedback, and fast feedback of what the fast states are off the quasi-static values that go with it.
  composite
};

struct SynthesisOptions {
  Weights weights;                          ///< of the states and inputs of the plant, in continuous time
  VectorX integral_weights;                 ///< of the integral of each output in `integrated`
  std::vector<std::complex<double>> poles;  ///< wanted, s (1/s), instead of weights; integrators included
  std::vector<int> integrated;              ///< outputs with integral action
  double period = 0.0, delay = 0.0;         ///< s; period zero: a continuous controller
  ModelReduction reduction = ModelReduction::none;
  int order = 0;                                     ///< of the modal or balanced model
  std::vector<int> fast;                             ///< states, for ModelReduction::slow and the next two
  std::vector<int> sensors;                          ///< measured outputs; empty: the state itself is known
  VectorX input_noise;                               ///< density of the force noise at each input
  VectorX sensor_noise;                              ///< of each sensor: density, or deviation of each sample
  std::vector<std::complex<double>> observer_poles;  ///< wanted, s (1/s), instead of noise
};

struct Synthesis {
  StateSpace plant;       ///< the whole model, sampled when the controller is; outputs as given
  StateSpace model;       ///< the small one for which gains were computed, without integrators
  MatrixX left;           ///< state of the small model (before sampling) = left * state of the whole one
  VectorX hankel;         ///< of a balanced model
  double bound = 0.0;     ///< its largest error at any frequency
  MatrixX K;              ///< u = -K [state of the small model; inputs on their way; integrals]
  MatrixX K_whole;        ///< the same for the states of the whole plant
  double residual = 0.0;  ///< of the Riccati equation
  std::optional<Observer> observer;
  StateSpace controller;                         ///< with sensors: from them to u
  StateSpace closed;                             ///< the whole plant in its loop, from an addition to u to its outputs
  std::vector<Pole> design_poles, closed_poles;  ///< of the small model and of the whole plant in the loop
  std::vector<LoopMargins> margins;              ///< one loop at a time, opened at each input

  bool is_stable() const;
};

/// Throws MechanismError for options that do not fit, PhysicsError when there is no such controller.
Synthesis synthesize(const StateSpace& plant, const SynthesisOptions& options);

}  // namespace lithe
