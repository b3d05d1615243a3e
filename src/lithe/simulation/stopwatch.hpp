#pragma once
// Where the time of a run goes.

#include <chrono>

namespace lithe::detail {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds the time of its own life to `total` (s).
class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total), start_(seconds_now()) {}
  ~Stopwatch() { total_ += seconds_now() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_;
  double start_;
};

/// Time of work that comes again and again, s; measured by the stopwatch below.
class TimeTaken {
 public:
  double seconds() const { return seconds_; }

 private:
  friend class SamplingStopwatch;
  double seconds_ = 0.0;
  long starts_ = 0;
};

/// Looks at the clock at the first starts, and then at every eleventh, which counts for all of them: two looks take as
/// long as the equations of a small mechanism. Eleven, because the stages of integrators come in fewer.
class SamplingStopwatch {
 public:
  explicit SamplingStopwatch(TimeTaken& total)
      : total_(total), weight_(weight_of(total.starts_++)), start_(weight_ > 0.0 ? seconds_now() : 0.0) {}
  ~SamplingStopwatch() {
    if (weight_ > 0.0) total_.seconds_ += weight_ * (seconds_now() - start_);
  }
  SamplingStopwatch(const SamplingStopwatch&) = delete;
  SamplingStopwatch& operator=(const SamplingStopwatch&) = delete;

 private:
  static constexpr long all = 66, each = 11;
  static double weight_of(long start) { return start < all ? 1.0 : start % each == 0 ? each : 0.0; }
  TimeTaken& total_;
  double weight_, start_;
};

}  // namespace lithe::detail
