#pragma once
// Pictures of linear systems: Bode diagrams and step responses.

#include <string>
#include <vector>

#include "figure.hpp"
#include "lithe/control/response.hpp"

namespace lithe::cli {

constexpr double usual_dpi = 200;  ///< dots per inch of a PNG

/// A family of curves that share colours with the others and have a dash of their own.
struct NamedSystem {
  std::string name;  ///< behind the names of the curves; empty: none
  StateSpace system;
};

/// Gain (dB) and phase (degrees, unwrapped) of every pair of input and output over the frequency (Hz).
std::string bode_figure(const std::vector<NamedSystem>& systems, double from, double until, const std::string& title);

/// Every output after a unit step of every input, up to `until` (s).
std::string step_figure(const std::vector<NamedSystem>& systems, double until, const std::string& title);

/// A phase (rad) that goes on from the one before it without jumps of a whole turn.
double unwrapped(double phase, double before);

/// Where the interesting frequencies of a system are (Hz): a decade about its poles, those near zero left out.
std::pair<double, double> usual_frequencies(const StateSpace& system);
/// Time (s) in which its slowest oscillation or decay can be seen.
double usual_duration(const StateSpace& system);

}  // namespace lithe::cli
