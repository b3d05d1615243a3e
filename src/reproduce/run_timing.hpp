#pragma once
// How long a run takes, beside one of another model, by name:
//
//   seconds  other seconds      mean over all runs (s)
//   best seconds  best other seconds
//   ratio                       other seconds over seconds: how many times the other one takes
//   steps  evaluations          of one run

#include <atomic>

#include "lithe/simulation/simulate.hpp"
#include "reproduce/case_file.hpp"

namespace lithe::reproduce {

struct RunTiming {
  double mean = 0.0, best = 0.0, other_mean = 0.0, other_best = 0.0;  ///< s
  long steps = 0, evaluations = 0;

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name) const;
};

/// Runs both models `runs` times, in turns, so that whatever else the machine does falls on both. `other` may be null.
RunTiming time_runs(const Model& model, const Model* other, int runs, const std::atomic<bool>& stop);

}  // namespace lithe::reproduce
