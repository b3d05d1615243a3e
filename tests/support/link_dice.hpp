#pragma once
// Draws numbers for random links; the same seed means the same link everywhere.

#include <cstdint>
#include <random>

#include "lithe/spatial/pose.hpp"

namespace lithe::testing {

class LinkDice {
 public:
  explicit LinkDice(std::uint32_t seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * (engine_() / 4294967296.0); }
  int from(int first, int last) {
    return first + static_cast<int>(engine_() % static_cast<unsigned>(last - first + 1));
  }
  bool coin() { return from(0, 1) == 1; }
  Vec3 vector() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }

 private:
  std::mt19937 engine_;
};

}  // namespace lithe::testing
