// lithe optimize: the best values of the axes of a study.

#include "lithe/study/optimize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "opened_study.hpp"
#include "optimize_move.hpp"
#include "output_file.hpp"
#include "search_history.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_optimum(const Study& study, const Optimum& found) {
  Table table({"", ""}, "lr");
  for (std::size_t a = 0; a < found.values.size(); ++a) table.add({study.axes[a].name, number(found.values[a], 6)});
  for (std::size_t i = 0; i < found.outputs.size(); ++i)
    table.add({study.outputs[i].name, number(found.outputs[i], 6)});
  table.print();
}

void print_front(const Study& study, const std::vector<Optimum>& front) {
  heading(fmt::format("front of {} and {}", study.objectives[0].output, study.objectives[1].output));
  std::vector<std::string> head;
  for (const StudyAxis& axis : study.axes) head.push_back(axis.name);
  for (const Output& output : study.outputs) head.push_back(output.name);
  Table table(head, std::string(head.size(), 'r'));
  for (const Optimum& each : front) {
    std::vector<std::string> row;
    for (const double value : each.values) row.push_back(number(value, 5));
    for (const double value : each.outputs) row.push_back(number(value, 5));
    table.add(std::move(row));
  }
  table.print();
}

/// Objectives and limited outputs, by where the search has their slopes from.
Json slopes_used(const OpenedStudy& opened) {
  const Study& study = opened.study();
  const std::vector<char> known = opened.evaluator->with_slopes();
  Json exact = Json::array(), differences = Json::array();
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const std::string& name = study.outputs[i].name;
    const auto is_it = [&](const auto& each) { return each.output == name; };
    if (std::any_of(study.objectives.begin(), study.objectives.end(), is_it) ||
        std::any_of(study.constraints.begin(), study.constraints.end(), is_it))
      (known[i] != 0 ? exact : differences).push_back(name);
  }
  return {{"exact", exact}, {"differences", differences}};
}

void print_slopes(const Json& slopes) {
  std::vector<std::string> parts;
  for (const auto& [how, text] : {std::pair{"exact", "exact of"}, std::pair{"differences", "by differences of"}})
    if (!slopes[how].empty())
      parts.push_back(fmt::format("{} {}", text, fmt::join(slopes[how].get<std::vector<std::string>>(), ", ")));
  fmt::print("  slopes: {}\n", fmt::join(parts, "; "));
}

/// A search without slopes over the whole space never says that it is there; of the others the best should have.
void tell_unfinished(const OptimizeAnswer& answer, OptimizeMethod method) {
  const auto is_unfinished = [](const Optimum& each) { return !each.converged; };
  const bool best = answer.best >= 0 && is_unfinished(answer.searches[answer.best]);
  const auto of_front = std::count_if(answer.front.begin(), answer.front.end(), is_unfinished);
  if (method == OptimizeMethod::direct || (!best && of_front == 0)) return;
  const std::string which = best ? "the search that found the best"
                                 : fmt::format("those of {} of {} points of the front", of_front, answer.front.size());
  warn(
      fmt::format("{} ended before 'tolerance' was reached: allow more 'evaluations', or a larger 'tolerance'", which));
}

}  // namespace

int optimize_study(const OptimizeVerbOptions& options) {
  if (const StudyFile file = load_study(options.study); file.move) return optimize_move(options, file);
  const OpenedStudy opened(options.study, OpenedStudy::For::search);
  const Study& study = opened.study();
  const std::string results =
      options.hdf5.empty() ? std::filesystem::path(options.study).stem().string() + "-optimum.h5" : options.hdf5;
  require_outputs(results, options.csv, opened.inputs());
  SearchHistory history(study, results + ".journal", opened.fingerprint(), options.resume);
  ProgressBar bar("optimize " + study.name);
  const double most = static_cast<double>(opened.file.optimize.starts) * opened.file.optimize.evaluations *
                      (study.objectives.size() == 2 ? opened.file.optimize.points : 1);
  OptimizeControl control = history.control(bar, most);
  control.threads = options.threads;
  OptimizeAnswer answer;
  try {
    answer = optimize(*opened.evaluator, opened.file.optimize, control);
  } catch (const MechanismError& error) {
    throw study_complaint(opened.file, error.element(), error.what());
  }
  if (answer.stopped) return history.tell_stopped();

  Json analysis = {{"variants", history.size()}, {"searches", Json::array()}, {"front", Json::array()}};
  for (const Optimum& each : answer.searches) analysis["searches"].push_back(to_json(study, each));
  for (const Optimum& each : answer.front) analysis["front"].push_back(to_json(study, each));
  if (answer.best >= 0) analysis["best"] = to_json(study, answer.searches[answer.best]);
  const bool has_slopes = takes_slopes(opened.file.optimize.method);
  if (has_slopes) analysis["slopes"] = slopes_used(opened);
  StudyRecord record = opened.record();
  record.method = name_of(opened.file.optimize.method);
  record.analysis = detail::json_text(analysis);
  const bool found = answer.best >= 0 || !answer.front.empty();
  record.outcome = found                        ? "complete"
                   : history.why_none().empty() ? "no variant keeps the limits"
                                                : "all variants failed";
  history.write(results, options.csv, record, opened.inputs());

  const int code = found ? fine : physics_failed;
  if (options.json) {
    print_json(
        {{"ok", code == fine}, {"exit", code}, {"verb", "optimize"}, {"study", study.name}, {"analysis", analysis}});
  } else {
    fmt::print("{}  {}\n", bold(study.name), dim(options.study));
    if (has_slopes) print_slopes(analysis["slopes"]);
    if (study.objectives.size() == 1) print_searches(study, answer);
    if (answer.best >= 0) {
      heading("best");
      print_optimum(study, answer.searches[answer.best]);
    }
    if (!answer.front.empty()) print_front(study, answer.front);
    fmt::print("  {} variants in {}\n", history.size(), results);
  }
  if (const std::string why = history.why_none(); !why.empty())
    complain(fmt::format("none of {} variants could be computed; the first: {}", history.size(), why));
  else if (!found)
    complain("no variant keeps the limits; loosen them, widen the axes, or start from more points");
  tell_unfinished(answer, opened.file.optimize.method);
  return code;
}

}  // namespace lithe::cli
