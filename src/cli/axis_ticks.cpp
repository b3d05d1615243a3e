#include "axis_ticks.hpp"

#include <cmath>

namespace lithe::cli {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` ticks fit.
double tick_step(Range range, int count) {
  const double raw = (range.high - range.low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double digit = raw / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

}  // namespace

std::vector<double> ticks(Range range, int count) {
  std::vector<double> places;
  const double step = tick_step(range, count);
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k) {
    places.push_back(std::abs(k * step) < 1e-9 * step ? 0.0 : k * step);
  }
  return places;
}

}  // namespace lithe::cli
