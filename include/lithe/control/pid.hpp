#pragma once
// PID controllers, sampled.
//
//   u_k = kp e_k + i_k + d_k                                        e: what is wanted minus what is measured
//   i_k = i_(k-1) + ki h (e_k + e_(k-1))/2                          h: sample time
//   d_k = (d_(k-1) + kd w (e_k - e_(k-1)))/(1 + w h)                w: bandwidth of the filter; without one
//   d_k = kd (e_k - e_(k-1))/h
//
// With a measured rate d_k = kd (wanted rate - measured rate). The sum stands still while u is beyond its limits and e
// would take it further (anti-windup). Before the first sample e has been constant and the sum zero.

#include "lithe/control/sampled_system.hpp"

namespace lithe {

struct PidGains {
  double kp = 0.0, ki = 0.0, kd = 0.0;
  double filter = 0.0;         ///< bandwidth w of the derivative, rad/s; 0: none
  bool measures_rate = false;  ///< the next input is the rate error
};

/// Several controllers side by side. Inputs: for each its error and, where it is measured, the rate error.
class Pid : public SampledSystem {
 public:
  /// `sample_time` in s.
  Pid(std::vector<PidGains> gains, double sample_time);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  /// Of each: sum, filtered derivative, last error.
  std::span<double> state() override { return state_; }
  void resume(std::span<const double> memory) override;
  void set_limits(std::span<const double> low, std::span<const double> high) override;

 private:
  std::vector<PidGains> gains_;
  double h_;
  bool begun_ = false;
  std::vector<double> state_, low_, high_;
};

}  // namespace lithe
