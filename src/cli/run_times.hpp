#pragma once
// --verbose of the run verbs: where the time went, and what was in force.

#include <nlohmann/json_fwd.hpp>

#include "lithe/simulation/model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// Seconds since some fixed moment.
double clock_seconds();

/// Parts of a run verb, s. `plan` and `assemble` come before the first row, `write` is the time in result files.
struct RunTimes {
  double load = 0, plan = 0, assemble = 0, integrate = 0, write = 0;
  double total() const { return load + plan + assemble + integrate + write; }
};

/// Hands everything on to another sink and measures the time in it.
class TimedSink : public RecordSink {
 public:
  explicit TimedSink(RecordSink& sink) : sink_(sink) {}
  void begin(const Model& model, const std::vector<std::string>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Audit& audit, const std::string& outcome) override;

  double seconds = 0;   ///< spent in the sink
  double began_at = 0;  ///< clock_seconds() when the run was ready to start

 private:
  RecordSink& sink_;
};

/// Seconds that the plan of the model takes to compile.
double measure_plan(const Model& model);

void print_times(const RunTimes& times);
void print_options(const Model& model, bool rigid);
nlohmann::json to_json(const RunTimes& times);

}  // namespace lithe::cli
