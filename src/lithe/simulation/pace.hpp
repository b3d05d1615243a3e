#pragma once
// Does a run get on? Steps that shrink without end would keep the program busy for ever.

#include "lithe/simulation/run.hpp"

namespace lithe::detail {

class Pace {
 public:
  explicit Pace(const RunOptions& options) : options_(options), look_time_(options.from) {}

  /// After a step; true when the pace of the last `steps_between_looks` steps would need more than `most_steps` to the
  /// end.
  bool is_hopeless(long steps, double t) {
    if (steps - look_steps_ < steps_between_looks) return false;
    step_ = (t - look_time_) / static_cast<double>(steps - look_steps_);
    look_steps_ = steps;
    look_time_ = t;
    return step_ * most_steps < options_.until - t;
  }
  double step() const { return step_; }  ///< mean of the last look, s
  double steps_needed() const { return (options_.until - look_time_) / step_; }

 private:
  static constexpr long steps_between_looks = 10000;
  static constexpr double most_steps = 1e9;  ///< days of work

  const RunOptions& options_;
  long look_steps_ = 0;
  double look_time_ = 0.0, step_ = 0.0;
};

}  // namespace lithe::detail
