#include "optimize_move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/move_file.hpp"
#include "lithe/version.hpp"
#include "model_options.hpp"
#include "opened_study.hpp"
#include "output_file.hpp"
#include "search_history.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::ordered_json;

MoveSearch open_move(const StudyFile& file, const Model& model) {
  try {
    return {model, *file.move, file.study};
  } catch (const OutputError& error) {
    throw study_complaint(file, error.element(), error.what());
  } catch (const MechanismError& error) {
    if (!file.places.contains(error.element())) throw;
    throw study_complaint(file, error.element(), error.what());
  }
}

/// Outputs with their limits, as the last, finer run has them.
void print_check(const Study& study, const Variant& check) {
  Table table({"", "reached", "limit"}, "lrr");
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const std::string& name = study.outputs[i].name;
    std::string limit;
    for (const Constraint& each : study.constraints)
      if (each.output == name && each.most) limit = number(*each.most, 5);
    table.add({name, number(check.outputs[i], 5), limit});
  }
  table.print();
}

Json check_json(const Study& study, const MoveSearch& search, const std::vector<double>& values, const Variant& check,
                bool holds) {
  Json outputs = Json::object(), laws = Json::object();
  for (std::size_t i = 0; i < study.outputs.size(); ++i) outputs[study.outputs[i].name] = check.outputs[i];
  for (const MoveLaw& law : search.laws(values)) laws[law.joint] = {{"t", law.t}, {"y", law.y}};
  return {{"duration", values[0]},
          {"watch", search.problem().watch},
          {"outputs", outputs},
          {"within_limits", holds},
          {"laws", laws}};
}

bool all_hold(const Study& study, const Variant& check) {
  return check.error.empty() && study.is_feasible(check.outputs);
}

}  // namespace

int optimize_move(const OptimizeVerbOptions& options, const StudyFile& file) {
  const Model model = load_model(file.model, file.set);
  const MoveSearch search = open_move(file, model);
  const Study& study = search.study();
  const std::filesystem::path results =
      options.hdf5.empty() ? std::filesystem::path(file.path).stem().string() + "-optimum.h5" : options.hdf5;
  const std::string moves = std::filesystem::path(results).replace_extension().string() + "-move.yaml";
  std::vector<std::string> inputs{file.path}, texts{std::string(version()), file.text, model.flattened};
  inputs.insert(inputs.end(), model.files.begin(), model.files.end());
  require_outputs(results.string(), options.csv, inputs);
  for (const std::string& input : inputs)  // it would be refused, after the work
    if (std::filesystem::exists(moves) && std::filesystem::equivalent(moves, input))
      throw InputError(
          fmt::format("the move would be written to {}, which it is made from; name other results with -o", moves));
  for (const auto& [path, content] : model.attached) texts.insert(texts.end(), {path, content});

  SearchHistory history(study, results.string() + ".journal", fingerprint_of(texts), options.resume);
  ProgressBar bar("optimize " + study.name);
  OptimizeControl control = history.control(
      bar, static_cast<double>(file.optimize.starts) * file.optimize.evaluations * (study.axes.size() + 1.0));
  control.threads = options.threads;
  OptimizeAnswer answer = search.run(file.optimize, control);
  if (answer.stopped) return history.tell_stopped();

  Json analysis = {{"variants", history.size()}, {"searches", Json::array()}};
  for (const Optimum& each : answer.searches) analysis["searches"].push_back(to_json(study, each));
  const bool found = answer.best >= 0;
  Variant check;
  bool holds = false;
  if (found) {
    const Optimum& best = answer.searches[answer.best];
    check = search.check(best.values);
    holds = all_hold(study, check);
    analysis["best"] = to_json(study, best);
    analysis["move"] = check_json(study, search, best.values, check, holds);
    write_file(
        moves,
        move_model_text(model, file.set, search, best.values, std::filesystem::path(moves).parent_path().string()),
        inputs);
  }
  StudyRecord record;
  record.name = study.name;
  record.path = file.path;
  record.text = file.text;
  record.method = "fastest move";
  record.model_path = model.path;
  record.model_text = model.flattened;
  record.analysis = detail::json_text(analysis);
  record.outcome = found ? "complete" : "no variant keeps the limits";
  history.write(results.string(), options.csv, record, inputs);

  const int code = holds ? fine : physics_failed;
  if (options.json) {
    print_json(
        {{"ok", code == fine}, {"exit", code}, {"verb", "optimize"}, {"study", study.name}, {"analysis", analysis}});
  } else {
    fmt::print("{}  {}\n", bold(study.name), dim(options.study));
    print_searches(study, answer);
    if (found) {
      heading("fastest move, run again with finer steps and rows");
      print_check(study, check);
      fmt::print("  the model with this move: {}\n", moves);
    }
    fmt::print("  {} runs in {}\n", history.size(), results.string());
  }
  if (!found)
    complain(
        "no move keeps the limits; loosen them, allow more 'pieces' or 'evaluations', or start from a longer 'start'");
  else if (!holds)
    complain(check.error.empty() ? "the finer run of the move goes beyond a limit; allow more 'evaluations' or 'pieces'"
                                 : "the finer run of the move failed: " + check.error);
  return code;
}

int check_move(const CheckOptions& options, const StudyFile& file) {
  const Model model = load_model(file.model, file.set);
  const MoveSearch search = open_move(file, model);
  std::vector<double> values(search.study().axes.size(), 0.0);
  values[0] = search.problem().start;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const StudyEvaluator evaluator(search.study(),
                                 [&](const std::vector<double>& point) { return search.model(point, point[0] / 288); });
  const Variant guess = evaluator.evaluate(values);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const auto runs = std::ssize(values);
  if (options.model.json) {
    print_json({{"ok", true},
                {"exit", static_cast<int>(fine)},
                {"verb", "check"},
                {"study", search.study().name},
                {"runs_per_step", runs + 1},
                {"seconds_per_run", seconds},
                {"watch", search.problem().watch},
                {"start", values[0]}});
    return fine;
  }
  fmt::print("{}  {}\n", bold(search.study().name), dim(options.model.path));
  Table table({"", ""});
  table.add({"first guess", fmt::format("{:.4g} s, watched for {:.4g} s more", values[0], search.problem().watch)});
  table.add({"variables", fmt::format("{}: the duration and {} of each motor", runs,
                                      (runs - 1) / std::ssize(search.problem().motors))});
  table.add({"one run takes", duration_text(seconds)});
  table.add(
      {"one step of the search",
       fmt::format("{} runs, about {} on {} threads", runs + 1,
                   duration_text(seconds * static_cast<double>(runs + 1) / machine_threads()), machine_threads())});
  table.print();
  heading("first guess");
  print_check(search.study(), guess);
  return fine;
}

}  // namespace lithe::cli
