#pragma once
// Draws numbers for random links; the same seed means the same link everywhere.

#include <cstdint>
#include <random>

#include "lithe/links/section.hpp"
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

  Section section(bool soft_in_shear) {
    Section section;
    section.mass_per_length = between(0.2, 3);
    section.bending_y = between(1, 50);
    section.bending_z = between(1, 50);
    section.torsion = between(1, 20);
    section.axial = between(100, 5000);
    section.shear_y = soft_in_shear ? between(200, 2000) : 0.0;
    section.shear_z = soft_in_shear ? between(200, 2000) : 0.0;
    section.rotary_y = between(1e-4, 1e-2);
    section.rotary_z = between(1e-4, 1e-2);
    section.polar = section.rotary_y + section.rotary_z;
    return section;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace lithe::testing
