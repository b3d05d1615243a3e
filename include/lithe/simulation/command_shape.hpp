#pragma once
// Wanted motions that leave no vibration: shapers and smooth commands for the modes of the mechanism itself.

#include <optional>
#include <string>

#include "lithe/control/shaper.hpp"
#include "lithe/simulation/operating_point.hpp"

namespace lithe {

/// A mode that vibrates.
struct Vibration {
  double frequency = 0.0;  ///< of the oscillation itself, Hz
  double damping = 0.0;    ///< ratio
};

/// How a wanted motion shall be shaped.
struct CommandShape {
  std::optional<ShaperKind> kind = ShaperKind::zvd;  ///< none: averages over the periods of the modes, or of a band
  std::vector<Vibration> modes;                      ///< empty: the lowest of the mechanism
  int count = 1;                                     ///< how many of them
  double band = 0.0;                                 ///< frequencies may be off by this part: 0.1 is 10 percent
  double vibration = usual_vibration;                ///< that may be left in the band, or by an EI shaper

  bool operator==(const CommandShape& other) const;
};

/// The motion that a shape makes of a wanted one.
struct CommandFilter {
  Shaper shaper;                ///< without impulses: nothing
  std::vector<double> windows;  ///< of averages, s

  double duration() const;  ///< by which the motion ends later, s
  Law applied_to(const Law& command) const;
};

/// When the motion of all drives and paths is over: the last kink of their laws; without any the end of the run.
double end_of_motion(const Model& model);

/// The modes that vibrate (damping ratio below 0.7), by rising frequency, at rest in the pose at the end of the motion. The motors
/// are as they are driven: prescribed ones and those of controllers are locked, feedback acts, the others give way.
std::vector<Vibration> vibrations_after_motion(const Model& model);

/// For the modes of `shape`, or else the first of these that vibrate still behind the shapers of those before them. Throws
/// MechanismError for numbers that make no sense.
CommandFilter make_command_filter(const CommandShape& shape, const std::vector<Vibration>& own);

/// "zvd for 4.2 Hz (damping ratio 0.01): the motion takes 0.238 s longer".
std::string describe(const CommandShape& shape, const CommandFilter& filter, const std::vector<Vibration>& modes);

/// The modes for which make_command_filter() makes a filter.
std::vector<Vibration> shaped_modes(const CommandShape& shape, const std::vector<Vibration>& own);

}  // namespace lithe
