#include "ratio_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace bench {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  // Of several repetitions only the median is worth a line.
  std::vector<Run> shown;
  for (const Run& run : runs)
    if (runs.size() == 1 || run.error_occurred || run.aggregate_name == "median") shown.push_back(run);
  ConsoleReporter::ReportRuns(shown);
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
    const std::string& name = run.run_name.function_name;
    const std::string task = task_of(name), engine = name.substr(task.size() + 1);
    const double time = run.GetAdjustedCPUTime() * 1e6 / benchmark::GetTimeUnitMultiplier(run.time_unit);
    auto [entry, is_new] = results_[task].try_emplace(engine);
    if (is_new || time < entry->second.microseconds) entry->second.microseconds = time;
    const auto allocations = run.counters.find("allocations");
    if (allocations != run.counters.end())
      entry->second.allocations = std::max(entry->second.allocations, allocations->second.value);
  }
}

std::string task_of(const std::string& benchmark) { return benchmark.substr(0, benchmark.rfind('/')); }

double growth_exponent(const std::map<int, double>& time_of_size) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [size, time] : time_of_size) {
    const double log_size = std::log(size), log_time = std::log(time);
    n += 1;
    x += log_size;
    y += log_time;
    xx += log_size * log_size;
    xy += log_size * log_time;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void RatioReporter::print_table(std::ostream& out, const std::vector<std::string>& tasks) const {
  static constexpr const char* peers[] = {"mujoco", "simbody"};
  out << "\nMicroseconds per evaluation (CPU time, best repetition); ratio = Lithe / peer, below 1 Lithe is faster.\n\n"
      << "| task | Lithe | allocations | MuJoCo | ratio | Simbody | ratio |\n|---|---|---|---|---|---|---|\n";
  // Series: "chain forward #100" -> "chain forward", 100.
  std::map<std::string, std::map<std::string, std::map<int, double>>> series;
  for (const std::string& task : tasks) {
    const auto found = results_.find(task);
    if (found == results_.end()) continue;
    const auto& engines = found->second;
    const std::size_t mark = task.find(" #");
    if (mark != std::string::npos)
      for (const auto& [engine, result] : engines)
        series[task.substr(0, mark)][engine][std::stoi(task.substr(mark + 2))] = result.microseconds;
    const auto ours = engines.find("lithe");
    if (ours == engines.end()) continue;
    out << fmt::format("| {} | {:.3f} | {:g} |", task, ours->second.microseconds, ours->second.allocations);
    for (const char* peer : peers) {
      const auto theirs = engines.find(peer);
      if (theirs == engines.end())
        out << " | |";
      else
        out << fmt::format(" {:.3f} | {:.2f} |", theirs->second.microseconds,
                           ours->second.microseconds / theirs->second.microseconds);
    }
    out << '\n';
  }
  for (const auto& [name, engines] : series)
    for (const auto& [engine, times] : engines)
      if (times.size() > 2)
        out << fmt::format("\n{}, {}: time grows as size^{:.3f} ({} to {} links)", name, engine, growth_exponent(times),
                           times.begin()->first, times.rbegin()->first);
  out << std::endl;
}

}  // namespace bench
