// lithe sweep: all variants of a study.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/results.hpp"
#include "model_options.hpp"
#include "opened_study.hpp"
#include "output_file.hpp"
#include "ranks.hpp"
#include "study_report.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// "worst:10", "best:5".
struct Keep {
  bool best = false;
  std::size_t count = 0;
};

Keep parse_keep(const std::string& text, const Study& study) {
  Keep keep;
  if (text.empty()) return keep;
  const std::size_t colon = text.find(':');
  const std::string which = text.substr(0, colon), count = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool is_count =
      !count.empty() && count.size() < 7 && count.find_first_not_of("0123456789") == std::string::npos;
  if ((which != "best" && which != "worst") || !is_count || std::stoul(count) == 0)
    throw InputError(fmt::format("--keep {}: expected worst:COUNT or best:COUNT, e.g. worst:10", text));
  if (study.objectives.empty())
    throw InputError("--keep needs to know what is good: say 'objectives: {OUTPUT: minimize}' in the study");
  if (!study.needs_run()) throw InputError("--keep keeps runs, but no output of this study is taken from a run");
  return {which == "best", std::stoul(count)};
}

/// Numbers of the variants to keep, the extreme one first.
std::vector<long> extreme_rows(const Keep& keep, const Study& study, const StudyTable& table) {
  const Objective& objective = study.objectives[0];
  const int output = study.output_named(objective.output);
  std::vector<long> rows = table.good_rows();
  std::erase_if(rows, [&](long row) { return std::isnan(table.results_of(row)[output]); });
  const bool largest_first = objective.maximize == keep.best;
  std::stable_sort(rows.begin(), rows.end(), [&](long a, long b) {
    const double x = table.results_of(a)[output], y = table.results_of(b)[output];
    return largest_first ? x > y : x < y;
  });
  if (rows.size() > keep.count) rows.resize(keep.count);
  return rows;
}

/// Runs them once more, whole, into files beside the results: STUDY-17.h5.
nlohmann::ordered_json keep_runs(const OpenedStudy& opened, const std::vector<long>& rows, const std::string& results) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  const std::filesystem::path base = std::filesystem::path(results).replace_extension();
  for (const long row : rows) {
    if (stop_requested()) break;
    const std::string path = fmt::format("{}-{}.h5", base.string(), row);
    const StudyEvaluator whole(opened.study(),
                               [&](const std::vector<double>& values) { return opened.models->whole(values); });
    const auto sink = hdf5_sink(path);
    const Variant variant = whole.evaluate(opened.samples->at(row), sink.get());
    if (!variant.error.empty()) warn(fmt::format("variant {}: {}", row, variant.error));
    files.push_back(path);
  }
  return files;
}

/// Rate and time left, on the bar of the terminal.
class SweepProgress {
 public:
  SweepProgress(const std::string& name, long all, long done)
      : bar_("sweep " + name), name_(name), all_(all), before_(done), done_(done) {}
  void advance() {
    ++done_;
    const double rate = static_cast<double>(done_ - before_) / seconds_since(start_);
    if (seconds_since(labelled_) > 0.5) {
      labelled_ = Clock::now();
      bar_.relabel(fmt::format("sweep {}: {} of {}, {} per second, {} left", name_, done_, all_, number(rate, 3),
                               duration_text(static_cast<double>(all_ - done_) / rate)));
    }
    bar_.show(static_cast<double>(done_) / static_cast<double>(all_));
  }

 private:
  ProgressBar bar_;
  std::string name_;
  long all_, before_, done_;
  Clock::time_point start_ = Clock::now(), labelled_ = start_;
};

/// What is left of a message without its numbers, which differ from variant to variant.
std::string kind_of(const std::string& message) {
  std::string kind;
  bool in_number = false;
  for (const char c : message) {
    in_number = (c >= '0' && c <= '9') || (in_number && (c == '.' || c == 'e' || c == '-' || c == '+'));
    if (!in_number) kind += c;
  }
  return kind;
}

/// "3 of 40 variants failed, the first is number 7: MESSAGE" for the most frequent kinds of failure.
void tell_failures(const StudyTable& table) {
  std::map<std::string, std::vector<long>> by_message;
  for (long k = 0; k < table.rows; ++k)
    if (!table.errors[k].empty()) by_message[kind_of(table.errors[k])].push_back(k);
  std::vector<std::vector<long>> kinds;
  for (auto& [message, rows] : by_message) kinds.push_back(std::move(rows));
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (std::size_t i = 0; i < std::min<std::size_t>(kinds.size(), 3); ++i)
    warn(fmt::format("{} of {} variants failed, the first is number {}: {}", kinds[i].size(), table.rows, kinds[i][0],
                     table.errors[kinds[i][0]]));
  if (by_message.size() > 3) note(fmt::format("{} more kinds of failure stand in the results", by_message.size() - 3));
}

/// The variants that the table does not have yet, into table and journal; false: stopped before the end.
bool compute_missing(const OpenedStudy& opened, int threads, Ranks* ranks, StudyTable& table, StudyJournal& journal) {
  SweepProgress progress(opened.study().name, table.rows, table.computed());
  SweepControl control;
  control.threads = threads;
  control.stop = &stop_requested();
  control.finished = [&](long row, const Variant& variant) {
    journal.add(row, variant);
    table.put(row, variant);
    progress.advance();
  };
  if (ranks != nullptr) return ranks->distribute(*opened.evaluator, *opened.samples, table.missing(), control);
  return run_variants(*opened.evaluator, *opened.samples, table.missing(), control);
}

/// Gives the names of the files.
nlohmann::ordered_json write_sweep(const OpenedStudy& opened, const std::string& results, const std::string& csv,
                                   const StudyTable& table, const nlohmann::ordered_json& analysis) {
  StudyRecord record = opened.record();
  record.analysis = detail::json_text(analysis);
  record.outcome = "complete";
  write_study_hdf5(results, record, table, opened.inputs());
  nlohmann::ordered_json files = {results};
  if (csv.empty()) return files;
  write_study_csv(csv, table, opened.inputs());
  files.push_back(csv);
  return files;
}

/// `now`: so many variants were computed, in so many seconds. Gives the exit code.
int tell_sweep(const Study& study, const SweepOptions& options, const StudyTable& table, long now, double seconds,
               const nlohmann::ordered_json& files, const nlohmann::ordered_json& analysis) {
  const int code = table.failed() == table.rows ? physics_failed : fine;
  tell_failures(table);
  if (options.json) {
    nlohmann::json answer = {{"ok", code == fine},  {"exit", code},       {"verb", "sweep"}, {"study", study.name},
                             {"computed_now", now}, {"seconds", seconds}, {"files", files},  {"analysis", analysis}};
    print_json(answer);
    return code;
  }
  fmt::print("{}  {}\n", bold(study.name), dim(options.study));
  fmt::print("  {} variants ({}), {} failed; {} computed in {}\n", table.rows, name_of(study.sample.method),
             table.failed(), now, duration_text(seconds));
  if (code == fine) print_analysis(study, analysis);
  for (const auto& file : files) fmt::print("  results in {}\n", file.get<std::string>());
  return code;
}

}  // namespace

int sweep(const SweepOptions& options) {
  // Rank 0 speaks for all.
  if (launched_rank() > 0 &&
      (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr))
    return bad_input;
  const OpenedStudy opened(options.study);
  const Study& study = opened.study();
  const Keep keep = parse_keep(options.keep, study);
  const std::unique_ptr<Ranks> ranks = Ranks::join();
  if (ranks && ranks->rank() > 0) {
    SweepControl control;
    control.threads = options.threads;
    ranks->work(*opened.evaluator, *opened.samples, control);
    return fine;
  }
  const std::string results =
      options.hdf5.empty() ? std::filesystem::path(options.study).stem().string() + ".h5" : options.hdf5;
  require_outputs(results, options.csv, opened.inputs());
  try {
    require_sweep_memory(study, opened.samples->size());
  } catch (const MechanismError& error) {
    throw study_complaint(opened.file, error.element(), error.what());
  }
  StudyTable table(study, *opened.samples);
  StudyJournal journal(results + ".journal", opened.fingerprint(), options.resume);
  for (const StudyJournal::Record& record : journal.records())
    if (record.number >= 0 && record.number < table.rows) table.put(record.number, record.variant);
  const long before = table.computed();
  if (before > 0) note(fmt::format("{} of {} variants are there already", before, table.rows));

  const Clock::time_point start = Clock::now();
  const bool finished = compute_missing(opened, options.threads, ranks.get(), table, journal);
  const double seconds = seconds_since(start);
  if (!finished) {
    complain(fmt::format("stopped after {} of {} variants; the same command with --resume goes on", table.computed(),
                         table.rows));
    if (ranks) ranks->abort(physics_failed);
    return physics_failed;
  }

  const nlohmann::ordered_json analysis = analyse(study, *opened.samples, table);
  nlohmann::ordered_json files = write_sweep(opened, results, options.csv, table, analysis);
  journal.remove();
  if (keep.count > 0)
    for (const auto& file : keep_runs(opened, extreme_rows(keep, study, table), results)) files.push_back(file);
  return tell_sweep(study, options, table, table.computed() - before, seconds, files, analysis);
}

}  // namespace lithe::cli
