#pragma once
// Is an explicit method held up by stability? Its steps are then about as long as the fastest time constant, however
// little moves at that pace.

#include <cmath>
#include <functional>

#include "lithe/simulation/integrator.hpp"

namespace lithe::detail {

class StiffnessWatch {
 public:
  /// After a step of `system` to (t, y) with `rate` there unknown; `steps` are those of the run so far. True when at two
  /// looks one after the other the steps have been as long as stability allows.
  bool is_stiff(const OdeSystem& system, double t, const VectorX& y, long steps) {
    if (steps - look_steps_ < steps_between_looks) return false;
    const double step = (t - look_time_) / static_cast<double>(steps - look_steps_);
    const bool first = look_steps_ == 0;
    look_steps_ = steps;
    look_time_ = t;
    if (first) return false;  // the mean includes the start
    const bool held_up = step * fastest_rate(system, t, y) > stability_reach;
    const bool stiff = held_up && was_held_up_;
    was_held_up_ = held_up;
    return stiff;
  }

 private:
  static constexpr long steps_between_looks = 300;
  static constexpr double stability_reach = 2.0;  ///< Dormand-Prince is stable up to 3.3; accuracy wants far less

  /// Size of the largest eigenvalue of the equations at (t, y), by power iteration, 1/s. Positions and speeds take turns
  /// in an oscillation, so the mean of an even number of iterations counts.
  double fastest_rate(const OdeSystem& system, double t, const VectorX& y) {
    constexpr int iterations = 12, counted = 6;
    const Eigen::Index n = system.controlled;
    here_.resize(system.size);
    there_.resize(system.size);
    if (direction_.size() != n) direction_ = VectorX::Ones(n) + 0.1 * VectorX::LinSpaced(n, -1.0, 1.0);
    if (!system.rate(t, y, here_)) return 0.0;
    double logarithm = 0.0;
    const double reach = 1e-7 * (1.0 + y.head(n).lpNorm<Eigen::Infinity>());
    for (int i = 0; i < iterations; ++i) {
      direction_.normalize();
      moved_ = y;
      moved_.head(n) += reach * direction_;
      if (!system.rate(t, moved_, there_)) return 0.0;
      direction_ = (there_ - here_).head(n) / reach;
      const double growth = direction_.norm();
      if (!(growth > 0.0) || !std::isfinite(growth)) return 0.0;
      if (i >= iterations - counted) logarithm += std::log(growth) / counted;
    }
    return std::exp(logarithm);
  }

  long look_steps_ = 0;
  double look_time_ = 0.0;
  bool was_held_up_ = false;
  VectorX here_, there_, moved_, direction_;
};

}  // namespace lithe::detail
