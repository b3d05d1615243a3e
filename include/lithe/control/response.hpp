#pragma once
// What a linear system answers: to sines, to steps, and how far a loop is from instability.

#include <optional>

#include "lithe/control/state_space.hpp"

namespace lithe {

/// G(j w), or G(e^(j w T)) of a sampled system, outputs x inputs, at frequencies in Hz. A frequency at which the system
/// has a pole gives infinite entries.
std::vector<Eigen::MatrixXcd> frequency_response(const StateSpace& system, const std::vector<double>& frequencies);

/// Frequencies (Hz) from `from` to `until`, equal steps of the logarithm, and more of them where poles make peaks.
std::vector<double> frequency_grid(const StateSpace& system, double from, double until, int count = 400);

/// G at rest: D - C A^-1 B, or D + C (1 - A)^-1 B. Entries are infinite when the system has a pole there.
MatrixX static_gain(const StateSpace& system);

/// Outputs at k * step (k = 0 ... count), one row each, after a unit step of one input at t = 0; exact at these
/// instants. A sampled system has its own step, and `step` is not asked.
MatrixX step_response(const StateSpace& system, int input, double step, int count);

/// How far one loop of L(s) in 1 + L is from instability.
struct LoopMargins {
  double gain_up = 0.0;      ///< factor > 1 by which the gain may grow; infinite: any
  double gain_down = 0.0;    ///< factor < 1 to which it may fall; zero: any
  double phase = 0.0;        ///< rad; infinite: the gain never crosses one
  double delay = 0.0;        ///< s of dead time that phase margin allows; infinite likewise
  double crossover = 0.0;    ///< Hz at which the phase margin was found
  double up_at = 0.0;        ///< Hz at which gain_up was found
  double distance = 0.0;     ///< least |1 + L|
  double distance_at = 0.0;  ///< Hz
};
/// Of the loop with negative feedback whose open transfer function is `loop`, as many inputs as outputs; one loop is
/// opened at a time, the others stay closed. Frequencies up to `until` (Hz; zero: ten times the fastest pole, or half
/// the sampling rate) are searched.
std::vector<LoopMargins> loop_margins(const StateSpace& loop, double until = 0.0);

}  // namespace lithe
