#include "lithe/links/strength.hpp"

#include <cmath>
#include <limits>

namespace lithe {

double SnLine::cycles_to_failure(double stress_amplitude, double mean) const {
  double effective = stress_amplitude;
  if (ultimate > 0 && mean > 0) {
    if (mean >= ultimate) return 1.0;
    effective /= 1.0 - mean / ultimate;
  }
  if (!(effective > endurance)) return std::numeric_limits<double>::infinity();
  return cycles * std::pow(amplitude / effective, slope);
}

}  // namespace lithe
