#pragma once
// How a distance is covered from rest to rest: profiles of speed, as fast as limits allow or in a given time.

#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "lithe/laws/expression.hpp"

namespace lithe {

/// trapezoid:    constant acceleration, constant speed, constant deceleration; the acceleration jumps
/// jerk_limited: the same with ramps of the acceleration (seven phases of constant jerk)
/// quintic:      D (10 tau^3 - 15 tau^4 + 6 tau^5)
/// cycloid:      D (tau - sin(2 pi tau)/(2 pi))
enum class MotionProfile { trapezoid, jerk_limited, quintic, cycloid };

/// Largest speed, acceleration and jerk, in units of the distance and s.
struct MotionLimits {
  double speed = std::numeric_limits<double>::infinity();
  double acceleration = std::numeric_limits<double>::infinity();
  double jerk = std::numeric_limits<double>::infinity();
};

/// The limit without which a profile has no shortest duration ("acceleration", "jerk", "speed, acceleration or jerk");
/// empty when it has one.
std::string_view missing_limit(MotionProfile profile, const MotionLimits& limits);

/// Covers `distance` (not negative) from rest to rest; at rest before and after.
class Progress {
 public:
  Progress() = default;  ///< no distance, no time

  /// Without `duration`: the shortest one within the limits. With one: the same profile stretched to it; where no limit
  /// says how long the phases are, they are equally long. Throws std::invalid_argument when a limit is missing, not
  /// positive, or broken by the duration. Begins at time 0.
  Progress(MotionProfile profile, double distance, const MotionLimits& limits, std::optional<double> duration = {});
  /// The same, beginning at another time.
  Progress from(double start) const;

  Jet at(double t) const;
  double distance() const { return distance_; }
  double duration() const { return duration_; }
  double start() const { return start_; }
  double end() const { return end_; }

  /// Adds the start, the end and the times between them at which the acceleration or the jerk jumps.
  void note_breakpoints(std::vector<double>& times) const;

 private:
  /// s + v t + a t^2/2 + j t^3/6, t counted from `begin`.
  struct Phase {
    double begin = 0.0, s = 0.0, v = 0.0, a = 0.0, j = 0.0;
  };

  void shape_trapezoid(const MotionLimits& limits);
  void shape_jerk_limited(const MotionLimits& limits);
  void add_phase(double length, double a, double j);
  void stretch_to(double duration);

  MotionProfile profile_ = MotionProfile::quintic;
  double distance_ = 0.0, duration_ = 0.0, start_ = 0.0, end_ = 0.0;
  std::array<Phase, 7> phases_;
  int phase_count_ = 0;
};

}  // namespace lithe
