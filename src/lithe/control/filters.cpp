#include "lithe/control/filters.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lithe {

TransferFunction lead_lag(double zero, double pole, double gain) {
  return {{gain, gain / zero, 0.0}, {1.0, 1.0 / pole, 0.0}, 0.0};
}

TransferFunction notch(double frequency, double width, double depth) {
  const double w = frequency;
  return {{w * w, 2.0 * depth * w, 1.0}, {w * w, 2.0 * width * w, 1.0}, w};
}

TransferFunction low_pass(double frequency) {
  const double w = frequency;
  return {{w * w, 0.0, 0.0}, {w * w, std::numbers::sqrt2 * w, 1.0}, w};
}

DigitalFilter::DigitalFilter(const TransferFunction& function, double sample_time, int signals)
    : state_(2 * static_cast<std::size_t>(signals), 0.0) {
  const double w = function.exact_at;
  if (w * sample_time >= std::numbers::pi)
    throw std::invalid_argument("the frequency of the filter is beyond half the sample rate");
  // s = c (z - 1)/(z + 1); multiplied by (z + 1)^2.
  const double c = w > 0.0 ? w / std::tan(0.5 * w * sample_time) : 2.0 / sample_time;
  const auto digital = [c](const std::array<double, 3>& p) {
    return std::array{p[0] + p[1] * c + p[2] * c * c, 2.0 * (p[0] - p[2] * c * c), p[0] - p[1] * c + p[2] * c * c};
  };
  b_ = digital(function.numerator);
  a_ = digital(function.denominator);
  const double first = a_[0];
  if (first == 0.0 || !std::isfinite(first)) throw std::invalid_argument("the denominator of the filter vanishes");
  for (double& each : b_) each /= first;
  for (double& each : a_) each /= first;
}

void DigitalFilter::sample(double /*t*/, std::span<const double> inputs, std::span<double> outputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    double &first = state_[2 * i], &second = state_[2 * i + 1];
    const double u = inputs[i], y = b_[0] * u + first;
    first = b_[1] * u - a_[1] * y + second;
    second = b_[2] * u - a_[2] * y;
    outputs[i] = y;
  }
}

}  // namespace lithe
