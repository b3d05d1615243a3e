// lithe check of a study: how many variants, and how long they will take.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "lithe/simulation/free_memory.hpp"
#include "opened_study.hpp"
#include "optimize_move.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

/// What a study without a sample is there for: its axes have ends and no values.
bool is_for_search(const StudyFile& file) {
  return !file.study.objectives.empty() && !file.places.contains("sample") &&
         std::any_of(file.study.axes.begin(), file.study.axes.end(),
                     [](const StudyAxis& axis) { return !axis.spread.is_discrete(); });
}

struct Measured {
  double seconds = 0.0;  ///< of one variant
  std::vector<std::string> errors;
};

/// Of three variants; the one that was computed when the study was opened has warmed things up.
Measured measure(const OpenedStudy& opened, const std::vector<std::vector<double>>& points,
                 const std::vector<std::string>& names) {
  using Clock = std::chrono::steady_clock;
  Measured measured;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Clock::time_point start = Clock::now();
    const Variant variant = opened.evaluator->evaluate(points[i], nullptr, &stop_requested());
    measured.seconds +=
        std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(points.size());
    if (!variant.error.empty()) measured.errors.push_back(fmt::format("{}: {}", names[i], variant.error));
  }
  return measured;
}

void print_axes(const Study& study, const char* first_name, const char* last_name, const std::vector<double>& first,
                const std::vector<double>& last) {
  Table axes({"axis", "from", "to", first_name, last_name}, "lrrrr");
  for (std::size_t a = 0; a < first.size(); ++a) {
    const Distribution& spread = study.axes[a].spread;
    axes.add({study.axes[a].name, number(spread.least(), 6), number(spread.most(), 6), number(first[a], 6),
              number(last[a], 6)});
  }
  axes.print();
}

int check_sweep(const CheckOptions& options) {
  const OpenedStudy opened(options.model.path);
  const long variants = opened.samples->size();
  std::vector<std::vector<double>> points;
  std::vector<std::string> names;
  for (int i = 0; i < 3; ++i) {  // spread over the study
    const long row = (variants - 1) * i / 2;
    points.push_back(opened.samples->at(row));
    names.push_back(fmt::format("variant {}", row));
  }
  const auto [seconds, errors] = measure(opened, points, names);
  const int threads = machine_threads();
  const double whole = seconds * static_cast<double>(variants) / threads;
  const double memory = sweep_memory(opened.study(), variants);
  for (const std::string& error : errors) warn(error);
  if (options.model.json) {
    print_json({{"ok", true},
                {"exit", static_cast<int>(fine)},
                {"verb", "check"},
                {"study", opened.study().name},
                {"variants", variants},
                {"method", name_of(opened.study().sample.method)},
                {"seconds_per_variant", seconds},
                {"threads", threads},
                {"seconds", whole},
                {"memory_bytes", memory},
                {"errors", errors}});
    return fine;
  }
  fmt::print("{}  {}\n", bold(opened.study().name), dim(options.model.path));
  Table table({"", ""});
  table.add({"variants", fmt::format("{} ({})", variants, name_of(opened.study().sample.method))});
  table.add({"one takes", fmt::format("{} (mean of {})", duration_text(seconds), points.size())});
  table.add({"all take", fmt::format("about {} on {} threads", duration_text(whole), threads)});
  const FreeMemory left = free_memory();
  table.add({"memory", fmt::format("about {}; {} {}", bytes_text(memory), left.what, bytes_text(left.bytes))});
  table.print();
  print_axes(opened.study(), "first", "last", points.front(), points.back());
  return fine;
}

/// The most that `lithe optimize` computes. Searches run side by side, one on a thread.
int check_search(const CheckOptions& options) {
  const OpenedStudy opened(options.model.path, OpenedStudy::For::search);
  const Study& study = opened.study();
  const OptimizeOptions& search = opened.file.optimize;
  try {
    require_searchable(study);
  } catch (const MechanismError& error) {
    throw study_complaint(opened.file, error.element(), error.what());
  }
  std::vector<std::vector<double>> points;
  for (const double part : {0.25, 0.5, 0.75}) {
    points.emplace_back();
    for (const StudyAxis& axis : study.axes) points.back().push_back(axis.spread.quantile(part));
  }
  const auto [seconds, errors] = measure(opened, points, {"first quarter", "middle", "third quarter"});
  // Two objectives: both ends of the front, and each point between.
  const long searches = search.starts * (study.objectives.size() == 2 ? static_cast<long>(search.points) : 1L);
  const long evaluations = searches * search.evaluations;
  const double threads = static_cast<double>(std::min<long>(machine_threads(), searches));
  const double whole = seconds * static_cast<double>(evaluations) / threads;
  for (const std::string& error : errors) warn(error);
  if (options.model.json) {
    print_json({{"ok", true},
                {"exit", static_cast<int>(fine)},
                {"verb", "check"},
                {"study", study.name},
                {"searches", searches},
                {"method", name_of(search.method)},
                {"evaluations", evaluations},
                {"seconds_per_variant", seconds},
                {"threads", threads},
                {"seconds", whole},
                {"errors", errors}});
    return fine;
  }
  fmt::print("{}  {}\n", bold(study.name), dim(options.model.path));
  Table table({"", ""});
  table.add({"searches", fmt::format("{} ({}), of at most {} variants each", searches, name_of(search.method),
                                     search.evaluations)});
  table.add({"one takes", fmt::format("{} (mean of {})", duration_text(seconds), points.size())});
  table.add({"all take", fmt::format("at most {} on {} threads{}", duration_text(whole), threads,
                                     takes_slopes(search.method) ? ", and what the slopes take" : "")});
  table.print();
  print_axes(study, "a quarter", "three quarters", points.front(), points.back());
  return fine;
}

}  // namespace

int check_study(const CheckOptions& options) {
  const StudyFile file = load_study(options.model.path);
  if (file.move) return check_move(options, file);
  return is_for_search(file) ? check_search(options) : check_sweep(options);
}

}  // namespace lithe::cli
