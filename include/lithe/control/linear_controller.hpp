#pragma once
// A linear controller in discrete state-space form: x_(k+1) = A x_k + B u_k, y_k = C x_k + D u_k.

#include "lithe/control/sampled_system.hpp"
#include "lithe/control/state_space.hpp"

namespace lithe {

/// The matrices of a controller from a time on.
struct ScheduledSystem {
  double t = 0.0;  ///< s
  StateSpace system;
};

class LinearController : public SampledSystem {
 public:
  /// Throws MechanismError as require_consistent() does. The state starts at zero.
  explicit LinearController(StateSpace system);
  /// Between the times of two points the matrices are interpolated, before the first and after the last they stay. The
  /// states of all points must mean the same. Throws MechanismError likewise, and when the points differ in size, do not rise
  /// in time, or there is none.
  explicit LinearController(std::vector<ScheduledSystem> points);

  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  std::span<double> state() override { return {x_.data(), static_cast<std::size_t>(x_.size())}; }

 private:
  std::vector<ScheduledSystem> points_;
  VectorX x_, next_;
};

}  // namespace lithe
