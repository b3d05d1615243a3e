#pragma once
// The times of a run: recording instants, and what the outside world asks for meanwhile.

#include <cmath>

#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

/// Throws MechanismError when the times and tolerances of a run make no sense.
void check_run_options(const RunOptions& options);

/// from, from + every, ..., until. Multiples are computed, not accumulated; the end is exact.
class RecordTimes {
 public:
  explicit RecordTimes(const RunOptions& options) : options_(options) {}
  double next() const { return next_; }
  bool done() const { return done_; }
  void advance() {
    if (next_ >= options_.until) {
      done_ = true;
      return;
    }
    next_ = options_.from + static_cast<double>(++index_) * options_.every;
    if (next_ > options_.until - 1e-9 * options_.every) next_ = options_.until;
  }

 private:
  const RunOptions& options_;
  double next_ = options_.from;
  long index_ = 0;
  bool done_ = false;
};

/// Reports progress at most ten times a second and sees requests to stop.
class Watcher {
 public:
  Watcher(const RunControl& control, const RunOptions& options) : control_(control), options_(options) {}
  bool wants_stop() const { return control_.stop != nullptr && control_.stop->load(); }
  void report(double t) {
    if (!control_.progress) return;
    const double now = seconds_now();
    if (now - last_ < 0.1 && t < options_.until) return;
    last_ = now;
    control_.progress((t - options_.from) / (options_.until - options_.from));
  }

 private:
  const RunControl& control_;
  const RunOptions& options_;
  double last_ = 0.0;
};

}  // namespace lithe::detail
