#pragma once
// What an amplifier and a motor make of the numbers that a controller gives at its sample instants: held until the next
// one, within limits, no faster than a rate, and after a first-order lag. A function of time in closed form.

#include <limits>

namespace lithe {

struct OutputLimits {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double rate = std::numeric_limits<double>::infinity();  ///< largest change per second
  double lag = 0.0;                                       ///< time constant, s
};

class HeldOutput {
 public:
  explicit HeldOutput(const OutputLimits& limits) : limits_(limits) {}

  /// From time t (s) on the controller asks for `value`.
  void set(double t, double value);
  /// At a time not before that.
  double at(double t) const;
  /// When the rate limit lets go, after the last set(); infinity: it does not hold, or for good.
  double kink() const { return kink_; }

 private:
  double ramp(double since) const;

  OutputLimits limits_;
  double set_at_ = 0.0;
  double asked_ = 0.0;               ///< within the limits
  double ramp_start_ = 0.0;          ///< of what the rate allows
  double start_ = 0.0;               ///< of what comes out
  double rise_ = 0.0, slope_ = 0.0;  ///< the ramp takes so long (s), so steep
  double kink_ = std::numeric_limits<double>::infinity();
};

}  // namespace lithe
