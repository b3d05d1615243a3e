#pragma once
// A law of a controller, in samples or in continuous time, as a linear system about its state and inputs.

#include <cmath>
#include <vector>

#include "lithe/control/state_space.hpp"

namespace lithe::detail {

constexpr double law_step = 1e-4;  ///< of differences, relative to 1 + size

/// `answer(state, inputs)` gives the next state, or its rate, and behind it the outputs. By central differences: exact when
/// the law is linear. `sample`: that of the system, s.
template <class Answer>
StateSpace linear_law(const Answer& answer, const std::vector<double>& state, const std::vector<double>& inputs,
                      std::size_t outputs, double sample) {
  const auto n = std::ssize(state), m = std::ssize(inputs),
             p = static_cast<Eigen::Index>(outputs);
  MatrixX slopes(n + p, n + m);
  for (Eigen::Index j = 0; j < n + m; ++j) {
    std::vector<double> x = state, u = inputs;
    double& changed = j < n ? x[j] : u[j - n];
    const double middle = changed, h = law_step * (1.0 + std::abs(middle));
    changed = middle + h;
    const VectorX up = answer(x, u);
    changed = middle - h;
    slopes.col(j) = (up - answer(x, u)) / (2.0 * h);
  }
  StateSpace law;
  law.A = slopes.topLeftCorner(n, n);
  law.B = slopes.topRightCorner(n, m);
  law.C = slopes.bottomLeftCorner(p, n);
  law.D = slopes.bottomRightCorner(p, m);
  law.sample = sample;
  return law;
}

}  // namespace lithe::detail
