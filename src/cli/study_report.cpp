#include "study_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace lithe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string shown(const Json& value, int digits = 4) {
  return value.is_null() ? "-" : number(value.get<double>(), digits);
}

/// Output `output` of every variant; not a number where it failed.
std::vector<double> all_results(const StudyTable& table, std::size_t output) {
  std::vector<double> values;
  for (long k = 0; k < table.rows; ++k)
    values.push_back(table.errors[k].empty() ? table.results_of(k)[output] : std::nan(""));
  return values;
}

Json spread_json(const Spread& spread) {
  return {{"count", spread.count},
          {"mean", number_or_null(spread.mean)},
          {"deviation", number_or_null(spread.deviation)},
          {"min", number_or_null(spread.least)},
          {"5%", number_or_null(spread.percentile_5)},
          {"median", number_or_null(spread.median)},
          {"95%", number_or_null(spread.percentile_95)},
          {"max", number_or_null(spread.most)},
          {"mean+3sigma", number_or_null(spread.robust(3.0))}};
}

/// Correlations with the axes, budget and surface, from the variants where the output is a number.
void add_dependence(const StudyTable& table, std::size_t output, Json& answer) {
  std::vector<long> rows = table.good_rows();
  std::erase_if(rows, [&](long row) { return std::isnan(table.results_of(row)[output]); });
  if (rows.size() < 3) return;
  std::vector<double> y;
  for (const long row : rows) y.push_back(table.results_of(row)[output]);
  const ResponseSurface surface = response_surface(table, static_cast<int>(output));
  const ToleranceBudget budget = tolerance_budget(table, static_cast<int>(output));
  for (std::size_t a = 0; a < table.axes.size(); ++a) {
    std::vector<double> x;
    for (const long row : rows) x.push_back(table.values_of(row)[a]);
    answer["axes"][table.axes[a]] = {{"correlation", number_or_null(correlation(x, y))},
                                     {"rank-correlation", number_or_null(rank_correlation(x, y))},
                                     {"share", number_or_null(budget.shares[a])}};
  }
  answer["unexplained"] = number_or_null(budget.unexplained);
  answer["surface"] = {{"mean", surface.mean},           {"scale", surface.scale},
                       {"constant", surface.constant},   {"linear", surface.linear},
                       {"quadratic", surface.quadratic}, {"determination", number_or_null(surface.determination)}};
}

void add_sensitivity(const Samples& samples, const StudyTable& table, std::size_t output, Json& answer) {
  const std::vector<double> results = all_results(table, output);
  if (samples.options().method == SampleMethod::saltelli) {
    const std::vector<SobolIndex> indices = sobol_indices(results, static_cast<int>(table.axes.size()));
    for (std::size_t a = 0; a < table.axes.size(); ++a)
      answer["sobol"][table.axes[a]] = {{"first", number_or_null(indices[a].first)},
                                        {"first-error", number_or_null(indices[a].first_error)},
                                        {"total", number_or_null(indices[a].total)},
                                        {"total-error", number_or_null(indices[a].total_error)}};
  } else if (samples.options().method == SampleMethod::morris) {
    const std::vector<MorrisEffect> effects = morris_effects(samples, results);
    for (std::size_t a = 0; a < table.axes.size(); ++a)
      answer["morris"][table.axes[a]] = {{"mean", number_or_null(effects[a].mean)},
                                         {"mean-size", number_or_null(effects[a].mean_size)},
                                         {"deviation", number_or_null(effects[a].deviation)}};
  }
}

/// Best variant by the first objective among those that keep the limits.
void add_best(const Study& study, const StudyTable& table, Json& answer) {
  if (study.objectives.empty()) return;
  const Objective& objective = study.objectives[0];
  const int output = study.output_named(objective.output);
  long best = -1;
  for (const long row : table.good_rows()) {
    const auto results = table.results_of(row);
    if (std::isnan(results[output]) || !study.is_feasible({results.begin(), results.end()})) continue;
    if (best < 0 || (objective.maximize ? results[output] > table.results_of(best)[output]
                                        : results[output] < table.results_of(best)[output]))
      best = row;
  }
  if (best < 0) return;
  Json values = Json::object(), outputs = Json::object();
  for (std::size_t a = 0; a < table.axes.size(); ++a) values[table.axes[a]] = table.values_of(best)[a];
  for (std::size_t i = 0; i < table.outputs.size(); ++i)
    outputs[table.outputs[i]] = number_or_null(table.results_of(best)[i]);
  answer["best"] = {{"number", best}, {"values", values}, {"outputs", outputs}};
}

}  // namespace

Json analyse(const Study& study, const Samples& samples, const StudyTable& table) {
  Json answer = {{"variants", table.rows}, {"computed", table.computed()}, {"failed", table.failed()}};
  const SampleMethod method = samples.options().method;
  const bool is_drawn = method != SampleMethod::saltelli && method != SampleMethod::morris;
  answer["outputs"] = Json::object();
  for (std::size_t i = 0; i < table.outputs.size(); ++i) {
    Json& output = answer["outputs"][table.outputs[i]];
    output = spread_json(spread_of(all_results(table, i)));
    if (is_drawn) add_dependence(table, i, output);
    add_sensitivity(samples, table, i, output);
  }
  if (!study.constraints.empty()) {
    long broken = 0, judged = 0;
    for (const long row : table.good_rows()) {
      const auto results = table.results_of(row);
      ++judged;
      broken += study.is_feasible({results.begin(), results.end()}) ? 0 : 1;
    }
    const FailureProbability failure = failure_probability(broken, judged);
    answer["limits"] = {{"broken", broken},   {"variants", judged},   {"probability", failure.probability},
                        {"low", failure.low}, {"high", failure.high}, {"confidence", failure.confidence}};
  }
  add_best(study, table, answer);
  return answer;
}

void print_analysis(const Study& study, const Json& analysis) {
  heading("outputs");
  Table outputs({"", "mean", "deviation", "min", "5 %", "median", "95 %", "max"}, "lrrrrrrr");
  for (const auto& [name, output] : analysis["outputs"].items()) {
    std::vector<std::string> row{name};
    for (const char* key : {"mean", "deviation", "min", "5%", "median", "95%", "max"})
      row.push_back(shown(output[key]));
    outputs.add(std::move(row));
  }
  outputs.print();
  for (const auto& [name, output] : analysis["outputs"].items()) {
    if (output.contains("sobol")) {
      heading(fmt::format("{}: Sobol's indices (parts of the variance)", name));
      Table table({"axis", "alone", "+-", "with others", "+-"}, "lrrrr");
      for (const auto& [axis, index] : output["sobol"].items())
        table.add({axis, shown(index["first"], 3), shown(index["first-error"], 2), shown(index["total"], 3),
                   shown(index["total-error"], 2)});
      table.print();
    } else if (output.contains("morris")) {
      heading(fmt::format("{}: Morris's effects (per whole range of an axis)", name));
      Table table({"axis", "mean size", "mean", "deviation"}, "lrrr");
      for (const auto& [axis, effect] : output["morris"].items())
        table.add({axis, shown(effect["mean-size"]), shown(effect["mean"]), shown(effect["deviation"])});
      table.print();
    } else if (output.contains("axes")) {
      heading(fmt::format("{}: what it depends on", name));
      Table table({"axis", "correlation", "of ranks", "share of the variance"}, "lrrr");
      for (const auto& [axis, each] : output["axes"].items())
        table.add({axis, shown(each["correlation"], 3), shown(each["rank-correlation"], 3), shown(each["share"], 3)});
      table.add({"squares, products, noise", "", "", shown(output["unexplained"], 3)});
      table.print();
    }
  }
  if (analysis.contains("limits")) {
    const Json& limits = analysis["limits"];
    heading("limits");
    fmt::print("  broken by {} of {} variants: probability {}, between {} and {} with {:.0f} % confidence\n",
               limits["broken"].get<long>(), limits["variants"].get<long>(), shown(limits["probability"]),
               shown(limits["low"]), shown(limits["high"]), 100 * limits["confidence"].get<double>());
  }
  if (analysis.contains("best")) {
    heading(fmt::format("best: variant {}, by {}", analysis["best"]["number"].get<long>(), study.objectives[0].output));
    Table table({"", ""}, "lr");
    for (const char* part : {"values", "outputs"})
      for (const auto& [name, value] : analysis["best"][part].items()) table.add({name, shown(value, 6)});
    table.print();
  }
}

}  // namespace lithe::cli
