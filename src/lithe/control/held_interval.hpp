#pragma once
// Which inputs act between two samples when they come late.

#include <cmath>
#include <vector>

namespace lithe::detail {

/// u[k - back] acts for the time h.
struct HeldPart {
  int back;
  double h;
};

constexpr double whole_sample = 1e-9;  ///< of a period: a delay this close to a number of samples is that number

/// The parts of an interval, in order: one, or two where the delay is no whole number of samples. The first part has the
/// oldest input.
inline std::vector<HeldPart> held_parts(double period, double delay) {
  const double whole = std::floor(delay / period + whole_sample), fraction = delay / period - whole;
  const int back = static_cast<int>(whole);
  if (fraction < whole_sample) return {{back, period}};
  return {{back + 1, fraction * period}, {back, (1.0 - fraction) * period}};
}

}  // namespace lithe::detail
