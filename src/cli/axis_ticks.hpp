#pragma once
// Round numbers along an axis.

#include <vector>

namespace lithe::cli {

struct Range {
  double low = 0.0, high = 1.0;
};

/// Multiples of 1, 2 or 5 times a power of ten within the range, about `count` of them.
std::vector<double> ticks(Range range, int count);

}  // namespace lithe::cli
