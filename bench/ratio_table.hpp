#pragma once
// After all runs: one line per task with the best time of every engine, ours over theirs, and growth exponents.

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace bench {

/// Prints as usual and remembers. Benchmarks are called "task/engine", tasks of a series "series task #size/engine".
class RatioReporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;

  /// The table, in Markdown; tasks that did not run are left out.
  void print_table(std::ostream& out, const std::vector<std::string>& tasks) const;

 private:
  struct Result {
    double microseconds = 0.0;  ///< CPU time, best repetition
    double allocations = 0.0;   ///< per call
  };
  std::map<std::string, std::map<std::string, Result>> results_;
};

/// "task" of "task/engine".
std::string task_of(const std::string& benchmark);

/// Slope of log(time) over log(size) by least squares.
double growth_exponent(const std::map<int, double>& time_of_size);

}  // namespace bench
