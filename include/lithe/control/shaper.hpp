#pragma once
// Input shapers: a command is replaced by a sum of delayed copies of itself after which chosen modes do not vibrate.

#include <string_view>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

enum class ShaperKind {
  zv,    ///< zero vibration: two impulses, half a period long
  zvd,   ///< its slope by the frequency vanishes too: three impulses, one period
  zvdd,  ///< and the second: four impulses, one and a half periods
  ei     ///< extra insensitive: three impulses; an allowed vibration at the frequency, none at two beside it
};
std::string_view name_of(ShaperKind kind);

struct Impulse {
  double t = 0.0;       ///< s
  double amount = 0.0;  ///< of the command; all of them add up to one
};

struct Shaper {
  std::vector<Impulse> impulses;  ///< by time

  double duration() const { return impulses.empty() ? 0.0 : impulses.back().t; }
};

constexpr double usual_vibration = 0.05;  ///< of what the unshaped command leaves

/// For a mode of this frequency (damped, Hz: of the oscillation itself) and damping ratio, from zero to below one.
/// `vibration`: what an EI shaper leaves at the frequency. Throws MechanismError for numbers that make no sense.
Shaper make_shaper(ShaperKind kind, double frequency, double damping, double vibration = usual_vibration);

/// Both after each other, for several modes.
Shaper convolve(const Shaper& first, const Shaper& second);

/// The amplitude of a mode at the end of the shaper, over that right after the same command without it.
double residual_vibration(const Shaper& shaper, double frequency, double damping);

/// The shortest shaper of these kinds, or of zero-vibration ones convolved more often, that leaves at most `vibration`
/// everywhere from `low` to `high` (Hz).
Shaper shaper_for_band(double low, double high, double damping, double vibration = usual_vibration);

/// Coefficients of the filter sum_k c_k u[i-k] that does the same at samples of `period`: an impulse between two samples
/// is split over them in proportion, so that the sum and the mean time stay.
VectorX sampled_shaper(const Shaper& shaper, double period);

/// A moving average of one period of the mode: the smooth command that leaves no vibration of an undamped one.
/// Coefficients at samples of `period`.
VectorX sampled_smoother(double frequency, double period);

/// A table of a command at equal steps, filtered; what was before the table is its first value. The answer is as much
/// longer as the filter.
VectorX filter_command(const VectorX& filter, const VectorX& command);

}  // namespace lithe
