#include "lithe/control/pid.hpp"

#include <algorithm>
#include <limits>

namespace lithe {

Pid::Pid(std::vector<PidGains> gains, double sample_time)
    : gains_(std::move(gains)),
      h_(sample_time),
      state_(3 * gains_.size(), 0.0),
      low_(gains_.size(), -std::numeric_limits<double>::infinity()),
      high_(gains_.size(), std::numeric_limits<double>::infinity()) {}

void Pid::set_limits(std::span<const double> low, std::span<const double> high) {
  std::copy(low.begin(), low.end(), low_.begin());
  std::copy(high.begin(), high.end(), high_.begin());
}

void Pid::resume(std::span<const double> memory) {
  std::copy(memory.begin(), memory.end(), state_.begin());
  begun_ = true;
}

void Pid::sample(double /*t*/, std::span<const double> inputs, std::span<double> outputs) {
  std::size_t input = 0;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    const PidGains& gains = gains_[i];
    double &sum = state_[3 * i], &slope = state_[3 * i + 1], &last = state_[3 * i + 2];
    const double error = inputs[input++];
    if (!begun_) last = error;
    if (gains.measures_rate)
      slope = gains.kd * inputs[input++];
    else if (gains.filter > 0.0)
      slope = (slope + gains.kd * gains.filter * (error - last)) / (1.0 + gains.filter * h_);
    else
      slope = gains.kd * (error - last) / h_;
    const double growth = 0.5 * gains.ki * h_ * (error + last);
    const double asked = gains.kp * error + sum + growth + slope;
    const bool in_vain = (asked > high_[i] && growth > 0.0) || (asked < low_[i] && growth < 0.0);
    if (!in_vain) sum += growth;
    outputs[i] = gains.kp * error + sum + slope;
    last = error;
  }
  begun_ = true;
}

}  // namespace lithe
