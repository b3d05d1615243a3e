#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "columns.hpp"
#include "interrupt.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/results.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "run_times.hpp"
#include "sampled_record.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

void print_rows(const SampledRecord& record, const std::vector<std::string>& columns) {
  constexpr std::size_t most_rows = 13;
  if (record.kept() == 0 || columns.empty()) return;
  Table table(columns, std::string(columns.size(), 'r'));
  const std::size_t count = std::min(most_rows, record.kept());
  std::vector<std::vector<std::string>> rows(count);
  for (const std::string& column : columns) {
    const auto place = std::find(record.columns().begin(), record.columns().end(), column) - record.columns().begin();
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k)
      values.push_back(
          record.at(count == 1 ? 0 : k * (record.kept() - 1) / (count - 1), static_cast<std::size_t>(place)));
    std::vector<std::string> texts = printed_column(values);
    for (std::size_t k = 0; k < count; ++k) rows[k].push_back(column == "t" ? number(values[k]) : std::move(texts[k]));
  }
  for (std::vector<std::string>& row : rows) table.add(std::move(row));
  fmt::print("\n");
  table.print();
  if (record.rows() > count) {
    fmt::print("  {}\n",
               dim(fmt::format("{} of {} rows; all of them with -o FILE.h5 or --csv FILE.csv", count, record.rows())));
  }
}

nlohmann::json data_of(const MemoryRecord& record) {
  nlohmann::json data = nlohmann::json::object();
  for (const std::string& column : record.columns()) data[column] = record.column(column);
  return data;
}

void require_sensible_outputs(const RunVerbOptions& options) {
  require_results_name(options.hdf5);
  if (options.csv == "-" && options.model.json)
    throw InputError("--csv - and --json both want stdout; give one of them a file");
  if (!options.csv.empty() && options.csv == options.hdf5)
    throw InputError(fmt::format("{}: is given for both -o and --csv", options.csv));
}

/// The files of a run, written row by row.
struct ResultFiles {
  explicit ResultFiles(const RunVerbOptions& options) {
    add(options.hdf5, hdf5_sink, options);
    add(options.csv, csv_sink, options);
  }

  FanOut sink;
  nlohmann::json paths = nlohmann::json::array();  ///< without stdout

 private:
  using MakeSink = std::unique_ptr<RecordSink> (*)(const std::string&, const OutputOptions&);
  void add(const std::string& path, MakeSink make, const RunVerbOptions& options) {
    if (path.empty()) return;
    require_folder(path);
    files_.push_back(make(path, {options.any_size}));
    sink.add(*files_.back());
    if (path != "-") paths.push_back(path);
  }

  std::vector<std::unique_ptr<RecordSink>> files_;
};

RunOutcome run_with_progress(const Model& model, const char* verb, RunFunction run, RecordSink& sink) {
  ProgressBar bar(fmt::format("{} {}", verb, model.name));
  RunControl control;
  control.progress = [&](double fraction) { bar.show(fraction); };
  control.stop = &stop_requested();
  return run(model, sink, control);
}

void print_motors(const Audit& audit) {
  if (audit.motors.empty()) return;
  heading("motors");
  Table table({"motor", "peak torque", "rms", "peak speed", "peak power", "mean power", "energy"}, "lrrrrrr");
  for (const auto& [name, duty] : audit.motors)
    table.add({name, number(duty.peak_torque, 4), number(duty.rms_torque, 4), number(duty.peak_speed, 4),
               number(duty.peak_power, 4), number(duty.mean_power, 4), number(duty.energy, 4)});
  table.print();
}

}  // namespace

const char* name_of(RunOutcome::Ending ending) {
  switch (ending) {
    case RunOutcome::Ending::complete:
      return "complete";
    case RunOutcome::Ending::physics_failed:
      return "physics failed";
    case RunOutcome::Ending::interrupted:
      return "interrupted";
  }
  return "";
}

void FanOut::begin(const Model& model, const std::vector<std::string>& columns) {
  for (RecordSink* sink : sinks_) sink->begin(model, columns);
}
/// A sink that fails ends the run; the others keep what they have.
void FanOut::row(std::span<const double> values) {
  for (RecordSink* sink : sinks_) {
    try {
      sink->row(values);
    } catch (const std::exception& error) {
      for (RecordSink* other : sinks_)
        if (other != sink) other->finish({}, error.what());
      throw;
    }
  }
}
void FanOut::finish(const Audit& audit, const std::string& outcome) {
  std::exception_ptr first;
  for (RecordSink* sink : sinks_) {
    try {
      sink->finish(audit, outcome);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

namespace {

/// A duration in the unit that reads best.
std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "unlimited";
  const std::pair<double, const char*> units[] = {{365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}};
  for (const auto& [size, unit] : units)
    if (seconds >= size) return fmt::format("{} {}", number(seconds / size, 3), unit);
  return fmt::format("{} s", number(seconds, 3));
}

void print_stress(const std::map<std::string, LinkStress>& stress) {
  if (stress.empty()) return;
  heading("stress");
  const auto has = [&](auto field) {
    return std::any_of(stress.begin(), stress.end(),
                       [&](const auto& link) { return (link.second.*field).has_value(); });
  };
  const bool has_safety = has(&LinkStress::safety), has_damage = has(&LinkStress::damage);
  std::vector<std::string> titles{"link", "peak, MPa", "at", "t, s"};
  if (has_safety) titles.emplace_back("safety");
  if (has_damage) titles.insert(titles.end(), {"damage", "life"});
  Table table(titles, has_damage || has_safety ? "lrlrrrr" : "lrlr");
  for (const auto& [name, link] : stress) {
    std::vector<std::string> row{name, number(link.peak / 1e6, 4), link.place, number(link.time, 4)};
    if (has_safety) row.push_back(link.safety ? number(*link.safety, 3) : "");
    if (has_damage) row.push_back(link.damage ? number(*link.damage, 3) : "");
    if (has_damage) row.push_back(link.life ? duration(*link.life) : "");
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace

void print_audit(const Audit& audit) {
  heading("audit");
  Table table({"", ""});
  table.add({"ended at", fmt::format("t = {} s, {} rows recorded", number(audit.t_end), audit.records)});
  if (!audit.integrator.empty()) table.add({"integrator", audit.integrator});
  table.add({"steps", fmt::format("{}, {} rejected; {} evaluations, {} Jacobians", audit.steps, audit.rejected,
                                  audit.evaluations, audit.jacobians)});
  const std::string relative = audit.energy_scale > 0 ? fmt::format(" ({} of the {} J exchanged)",
                                                                    number(audit.energy_error / audit.energy_scale, 2),
                                                                    number(audit.energy_scale, 4))
                                                      : std::string();
  table.add({"energy balance", fmt::format("{} J{}", number(audit.energy_error, 2), relative)});
  table.add({"worst closure", fmt::format("{}; {} projections, {} changes of the independent set",
                                          number(audit.worst_closure, 2), audit.projections, audit.set_changes)});
  if (audit.worst_condition > 0) table.add({"worst condition", number(audit.worst_condition, 3)});
  if (audit.worst_residual > 0) {
    table.add(
        {"not supplied", fmt::format("{} (force that the actuators cannot give)", number(audit.worst_residual, 3))});
  }
  if (!audit.events.empty()) {
    const RunEvent &first = audit.events.front(), &last = audit.events.back();
    table.add({"events", audit.events.size() == 1
                             ? fmt::format("at t = {} s, {}", number(first.t, 6), first.what)
                             : fmt::format("{}; first at t = {} s, {}; last at t = {} s, {}", audit.events.size(),
                                           number(first.t, 6), first.what, number(last.t, 6), last.what)});
  }
  if (!audit.bending.empty()) {
    const auto worst = std::max_element(audit.bending.begin(), audit.bending.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    table.add({"largest bending", fmt::format("{} of its length, link {}", number(worst->second, 2), worst->first)});
  }
  std::string split;
  for (const auto& [what, seconds] : audit.time_split) {
    const double share = audit.wall_seconds > 0 ? 100.0 * seconds / audit.wall_seconds : 0.0;
    split += fmt::format("{}{} {:.0f} %", split.empty() ? ": " : ", ", what, share);
  }
  table.add({"time", fmt::format("{:.3g} s{}", audit.wall_seconds, split)});
  table.print();
  print_motors(audit);
}

nlohmann::json to_json(const Audit& audit) { return detail::json_of(audit_json(audit)); }

/// The answer as JSON is made in memory.
void require_fit_in_memory(const RunOptions& run) {
  constexpr double most_rows = 1e7;
  const double rows = (run.until - run.from) / run.every;
  if (!(rows > most_rows)) return;
  throw InputError(
      fmt::format("--json would answer with {:.3g} rows; lengthen run.every, or write them with -o FILE.h5 or "
                  "--csv FILE.csv without --json",
                  rows));
}

int run_and_report(const RunVerbOptions& options, const char* verb, RunFunction run, ColumnChoice choice) {
  RunTimes times;
  const double start = clock_seconds();
  require_sensible_outputs(options);
  Model model = load(options.model, options.run);
  apply(options.run, model.run);
  if (options.equilibrium) model.start_at_equilibrium = true;
  times.load = clock_seconds() - start;

  SampledRecord record;  // for the table
  MemoryRecord all;      // for --json, whose answer holds every row
  ResultFiles files(options);
  TimedSink timed_files(files.sink);
  FanOut sinks;
  sinks.add(record);
  sinks.add(timed_files);
  if (options.model.json) {
    require_fit_in_memory(model.run);
    sinks.add(all);
  }

  const double run_start = clock_seconds();
  const RunOutcome outcome = run_with_progress(model, verb, run, sinks);
  const double run_seconds = clock_seconds() - run_start;
  if (talk() == Talk::verbose) {
    // A run that failed while it was assembled never began.
    const double ready = timed_files.began_at > 0 ? timed_files.began_at - run_start : run_seconds;
    times.plan = std::min(measure_plan(model), ready);
    times.assemble = ready - times.plan;
    times.write = timed_files.seconds;
    times.integrate = std::max(0.0, run_seconds - ready - times.write);
  }
  const bool is_complete = outcome.ending == RunOutcome::Ending::complete;
  // An interrupted run has not failed physically, but it has not done what was asked either.
  const int code = is_complete ? exit_code_of(outcome.audit) : physics_failed;

  if (options.model.json) {
    nlohmann::json answer = {{"ok", code == fine},
                             {"exit", code},
                             {"verb", verb},
                             {"model", model.name},
                             {"path", model.path},
                             {"ending", name_of(outcome.ending)},
                             {"message", outcome.message},
                             {"audit", to_json(outcome.audit)},
                             {"files", files.paths},
                             {"data", data_of(all)}};
    if (talk() == Talk::verbose) answer["times"] = to_json(times);
    print_json(answer, -1);
  } else if (options.csv != "-") {
    fmt::print("{}: {}\n", verb, bold(model.name));
    if (talk() == Talk::verbose) print_options(model, options.model.rigid);
    print_rows(record, choice(model, record.columns()));
    print_stress(outcome.audit.stress);
    print_audit(outcome.audit);
    if (talk() == Talk::verbose) print_times(times);
    if (record.rows() > 0) {
      for (const auto& path : files.paths) fmt::print("  results in {}\n", path.get<std::string>());
    }
  }
  tell(outcome.audit);
  if (!is_complete) {
    const std::string kept = record.rows() > 0 && !files.paths.empty() ? "; results up to there are kept" : "";
    complain(outcome.message + kept);
  }
  return code;
}

}  // namespace lithe::cli
