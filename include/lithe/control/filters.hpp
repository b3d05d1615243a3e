#pragma once
// Filters of a signal, sampled: transfer functions of second order at most, by the bilinear rule, which is made exact at
// one frequency (prewarping).

#include <array>

#include "lithe/control/sampled_system.hpp"

namespace lithe {

/// (n0 + n1 s + n2 s^2)/(d0 + d1 s + d2 s^2).
struct TransferFunction {
  std::array<double, 3> numerator{1.0, 0.0, 0.0}, denominator{1.0, 0.0, 0.0};
  double exact_at = 0.0;  ///< rad/s; 0: for slow signals
};

/// gain (1 + s/zero)/(1 + s/pole); rad/s.
TransferFunction lead_lag(double zero, double pole, double gain = 1.0);
/// (s^2 + 2 depth w s + w^2)/(s^2 + 2 width w s + w^2): takes a vibration of `frequency` w (rad/s) out; width is the
/// damping ratio that it has then, depth 0 takes all of it.
TransferFunction notch(double frequency, double width, double depth = 0.0);
/// Second order (Butterworth), -3 dB at `frequency`, rad/s.
TransferFunction low_pass(double frequency);

/// The same filter on each of several signals.
class DigitalFilter : public SampledSystem {
 public:
  /// Throws std::invalid_argument for a filter that the sample time cannot carry: exact_at beyond half the sample rate, or
  /// a denominator that vanishes.
  DigitalFilter(const TransferFunction& function, double sample_time, int signals);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  std::span<double> state() override { return state_; }

 private:
  std::array<double, 3> b_{}, a_{};  ///< (b0 + b1/z + b2/z^2)/(1 + a1/z + a2/z^2)
  std::vector<double> state_;        ///< two of each signal
};

}  // namespace lithe
