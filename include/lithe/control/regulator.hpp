#pragma once
// State feedback u = -K x: least quadratic cost, or given poles.

#include "lithe/control/riccati.hpp"

namespace lithe {

/// Of the cost: integral (or sum over the samples) of x^T Q x + 2 x^T S u + u^T R u.
struct Weights {
  MatrixX Q, R;
  MatrixX S = {};  ///< states x inputs; empty: zero
};

/// Weights of the outputs and inputs, as weights of the states: y^T Qy y + u^T R u.
Weights output_weights(const StateSpace& plant, const MatrixX& Qy, const MatrixX& R);

/// u = -K x of least cost, for a continuous or a sampled plant.
RiccatiSolution lqr(const StateSpace& plant, const Weights& weights);

/// What a continuous cost is at the sample instants of sample(plant, period, delay), exactly: the integral over each
/// interval in terms of the state at its start and of the input that is held, inputs on their way included.
Weights sample_weights(const StateSpace& plant, const Weights& weights, double period, double delay = 0.0);

/// The sampled plant with the feedback that makes the continuous cost least.
struct SampledRegulator {
  StateSpace plant;
  Weights weights;
  RiccatiSolution gain;
};
SampledRegulator sampled_lqr(const StateSpace& plant, const Weights& weights, double period, double delay = 0.0);

/// K for which A - B K has these eigenvalues (s, or z of a sampled plant; complex ones in pairs). Poles that the plant
/// has already stay without effort. The freedom of several inputs is used for small gains, block by block along the
/// real Schur form (Varga). Throws PhysicsError for a mode that the inputs cannot move, MechanismError when the number
/// of poles does not fit.
MatrixX place_poles(const MatrixX& A, const MatrixX& B, const std::vector<std::complex<double>>& wanted);

}  // namespace lithe
