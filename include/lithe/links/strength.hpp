#pragma once
// What a material bears: its yield stress, and how many cycles of which stress (a line of Wöhler, S-N line).

#include <optional>

namespace lithe {

/// Basquin's line through one known point, N = cycles (amplitude / S)^slope, S being the amplitude (half the range) of a
/// cycle. With `ultimate` the mean stress of a cycle raises it, as Goodman has it: S / (1 - mean / ultimate); pressure
/// on the average does not lower it.
struct SnLine {
  double amplitude = 0.0;  ///< Pa, is borne for
  double cycles = 0.0;     ///< so many cycles
  double slope = 0.0;
  double endurance = 0.0;  ///< Pa: amplitudes up to this do no damage; 0: every cycle does some
  double ultimate = 0.0;   ///< Pa; 0: the mean stress does not matter

  /// Cycles of this amplitude and mean (Pa) until failure; infinity up to the endurance limit, 1 where the mean reaches
  /// the ultimate stress.
  double cycles_to_failure(double stress_amplitude, double mean) const;
  bool operator==(const SnLine&) const = default;
};

struct Strength {
  double yield = 0.0;  ///< Pa; 0: unknown
  std::optional<SnLine> fatigue;
  bool operator==(const Strength&) const = default;
};

}  // namespace lithe
