#include "lithe/spatial/gauss_rule.hpp"

#include <cmath>
#include <numbers>

namespace lithe::detail {

GaussRule gauss_rule(int points) {
  GaussRule rule{VectorX(points), VectorX(points)};
  for (int i = 0; i < points; ++i) {
    // Newton on the Legendre polynomial from Tricomi's estimate of its roots.
    double x = std::cos(std::numbers::pi * (i + 0.75) / (points + 0.5)), slope = 1.0;
    for (int step = 0; step < 20; ++step) {
      double before = 1.0, value = x;
      for (int k = 2; k <= points; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = points * (x * value - before) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.at[points - 1 - i] = (1 + x) / 2;
    rule.weight[points - 1 - i] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace lithe::detail
