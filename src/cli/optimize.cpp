// lithe optimize: the best values of the axes of a study.

#include "lithe/study/optimize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "lithe/io/json_text.hpp"
#include "opened_study.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Study& study, const Optimum& found) {
  Json values = Json::object(), outputs = Json::object();
  for (std::size_t a = 0; a < found.values.size(); ++a) values[study.axes[a].name] = found.values[a];
  for (std::size_t i = 0; i < found.outputs.size(); ++i) outputs[study.outputs[i].name] = found.outputs[i];
  return {{"values", values},
          {"outputs", outputs},
          {"feasible", found.feasible},
          {"ending", found.ending},
          {"evaluations", found.evaluations}};
}

/// Every variant that was computed, in the order of searches and steps: the history.
StudyTable history_table(const Study& study, const std::map<long, std::pair<std::vector<double>, Variant>>& history) {
  StudyTable table;
  for (const StudyAxis& axis : study.axes) table.axes.push_back(axis.name);
  for (const Output& output : study.outputs) table.outputs.push_back(output.name);
  for (const auto& [number, entry] : history) {
    const auto& [values, variant] = entry;
    table.values.insert(table.values.end(), values.begin(), values.end());
    std::vector<double> outputs = variant.outputs;
    outputs.resize(table.outputs.size(), std::nan(""));
    table.results.insert(table.results.end(), outputs.begin(), outputs.end());
    table.errors.push_back(variant.error);
    table.known.push_back(1);
    ++table.rows;
  }
  return table;
}

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

void print_searches(const Study& study, const OptimizeAnswer& answer) {
  heading("searches");
  const int output = study.output_named(study.objectives[0].output);
  Table table({"start", study.objectives[0].output, "within limits", "variants", "ended because"}, "rrlrl");
  for (std::size_t i = 0; i < answer.searches.size(); ++i) {
    const Optimum& each = answer.searches[i];
    table.add({fmt::format("{}", i + 1), each.outputs.empty() ? "-" : number(each.outputs[output], 6),
               each.feasible ? good("yes") : bad("no"), fmt::format("{}", each.evaluations), each.ending});
  }
  table.print();
}

}  // namespace

int optimize_study(const OptimizeVerbOptions& options) {
  const OpenedStudy opened(options.study, OpenedStudy::For::search);
  const Study& study = opened.study();
  const std::string results =
      options.hdf5.empty() ? std::filesystem::path(options.study).stem().string() + "-optimum.h5" : options.hdf5;
  require_folder(results);
  StudyJournal journal(results + ".journal", opened.fingerprint(), options.resume);
  std::map<long, Variant> known;
  for (const StudyJournal::Record& record : journal.records()) known[record.number] = record.variant;
  if (!known.empty()) note(fmt::format("{} variants are there already", known.size()));

  std::map<long, std::pair<std::vector<double>, Variant>> history;
  ProgressBar bar("optimize " + study.name);
  OptimizeControl control;
  control.threads = options.threads;
  control.stop = &stop_requested();
  control.known = [&](long step) {
    const auto found = known.find(step);
    return found == known.end() ? nullptr : &found->second;
  };
  const double most = static_cast<double>(opened.file.optimize.starts) * opened.file.optimize.evaluations *
                      (study.objectives.size() == 2 ? opened.file.optimize.points : 1);
  long computed = 0;
  control.finished = [&](long step, const std::vector<double>&, const Variant& variant) {
    journal.add(step, variant);
    ++computed;
    bar.show(std::min(1.0, static_cast<double>(computed) / most));
  };
  control.passed = [&](long step, const std::vector<double>& values, const Variant& variant) {
    history[step] = {values, variant};
  };
  OptimizeAnswer answer;
  try {
    answer = optimize(*opened.evaluator, opened.file.optimize, control);
  } catch (const MechanismError& error) {
    throw study_complaint(opened.file, error.element(), error.what());
  }
  if (answer.stopped) {
    complain(
        fmt::format("stopped after {} variants; lithe optimize {} --resume goes on", history.size(), options.study));
    return physics_failed;
  }

  Json analysis = {{"variants", history.size()}, {"searches", Json::array()}, {"front", Json::array()}};
  for (const Optimum& each : answer.searches) analysis["searches"].push_back(to_json(study, each));
  for (const Optimum& each : answer.front) analysis["front"].push_back(to_json(study, each));
  if (answer.best >= 0) analysis["best"] = to_json(study, answer.searches[answer.best]);
  StudyRecord record = opened.record();
  record.method = name_of(opened.file.optimize.method);
  record.analysis = detail::json_text(analysis);
  const bool found = answer.best >= 0 || !answer.front.empty();
  record.outcome = found ? "complete" : "no variant keeps the limits";
  const StudyTable table = history_table(study, history);
  write_study_hdf5(results, record, table, opened.inputs());
  if (!options.csv.empty()) {
    require_folder(options.csv);
    write_study_csv(options.csv, table, opened.inputs());
  }
  journal.remove();

  const int code = found ? fine : physics_failed;
  if (options.json) {
    print_json(
        {{"ok", code == fine}, {"exit", code}, {"verb", "optimize"}, {"study", study.name}, {"analysis", analysis}});
  } else {
    fmt::print("{}  {}\n", bold(study.name), dim(options.study));
    if (study.objectives.size() == 1) print_searches(study, answer);
    if (answer.best >= 0) {
      heading("best");
      print_optimum(study, answer.searches[answer.best]);
    }
    if (!answer.front.empty()) print_front(study, answer.front);
    fmt::print("  {} variants in {}\n", history.size(), results);
  }
  if (!found) complain("no variant keeps the limits; loosen them, widen the axes, or start from more points");
  return code;
}

}  // namespace lithe::cli
