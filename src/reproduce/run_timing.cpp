#include "reproduce/run_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

Audit timed_run(const Model& model, const std::atomic<bool>& stop) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record, {nullptr, &stop});
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  return outcome.audit;
}

}  // namespace

RunTiming time_runs(const Model& model, const Model* other, int runs, const std::atomic<bool>& stop) {
  RunTiming timing;
  timing.best = timing.other_best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    const Audit audit = timed_run(model, stop);
    timing.steps = audit.steps;
    timing.evaluations = audit.evaluations;
    timing.mean += audit.wall_seconds / runs;
    timing.best = std::min(timing.best, audit.wall_seconds);
    if (other == nullptr) continue;
    const double seconds = timed_run(*other, stop).wall_seconds;
    timing.other_mean += seconds / runs;
    timing.other_best = std::min(timing.other_best, seconds);
  }
  return timing;
}

double RunTiming::operator()(const std::string& name) const {
  if (name == "seconds") return mean;
  if (name == "best seconds") return best;
  if (name == "other seconds") return other_mean;
  if (name == "best other seconds") return other_best;
  if (name == "ratio") return other_best / best;
  if (name == "steps") return static_cast<double>(steps);
  if (name == "evaluations") return static_cast<double>(evaluations);
  throw CaseError(fmt::format("'{}' is not a quantity of timed runs", name));
}

}  // namespace lithe::reproduce
