#pragma once
// What the run verbs share: sinks, progress, the printed table, the audit, the JSON answer.

#include <nlohmann/json_fwd.hpp>

#include "lithe/simulation/simulate.hpp"
#include "verbs.hpp"

namespace lithe::cli {

using RunFunction = RunOutcome (*)(const Model&, RecordSink&, const RunControl&);
/// Picks the columns worth printing on a terminal.
using ColumnChoice = std::vector<std::string> (*)(const Model&, const std::vector<std::string>& columns);

/// Loads, runs, writes, prints; returns the exit code.
int run_and_report(const RunVerbOptions& options, const char* verb, RunFunction run, ColumnChoice choice);

/// "complete", "physics failed" or "interrupted".
const char* name_of(RunOutcome::Ending ending);

void print_audit(const Audit& audit);
nlohmann::json to_json(const Audit& audit);

/// Hands every call to several sinks that others own.
class FanOut : public RecordSink {
 public:
  void add(RecordSink& sink) { sinks_.push_back(&sink); }
  void begin(const Model& model, const std::vector<std::string>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Audit& audit, const std::string& outcome) override;

 private:
  std::vector<RecordSink*> sinks_;
};

}  // namespace lithe::cli
