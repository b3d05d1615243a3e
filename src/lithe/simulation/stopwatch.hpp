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

}  // namespace lithe::detail
