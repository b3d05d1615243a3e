#include "run_times.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "terminal.hpp"

namespace lithe::cli {

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void TimedSink::begin(const Model& model, const std::vector<std::string>& columns) {
  began_at = clock_seconds();
  sink_.begin(model, columns);
  seconds += clock_seconds() - began_at;
}

void TimedSink::row(std::span<const double> values) {
  const double start = clock_seconds();
  sink_.row(values);
  seconds += clock_seconds() - start;
}

void TimedSink::finish(const Audit& audit, const std::string& outcome) {
  const double start = clock_seconds();
  sink_.finish(audit, outcome);
  seconds += clock_seconds() - start;
}

double measure_plan(const Model& model) {
  const double start = clock_seconds();
  const Plan plan(model.mechanism, model.plan);
  return clock_seconds() - start;
}

void print_times(const RunTimes& times) {
  heading("time");
  Table table({"", "ms", "share"}, "lrr");
  for (const auto& [what, seconds] :
       {std::pair{"load", times.load}, std::pair{"plan", times.plan}, std::pair{"assemble", times.assemble},
        std::pair{"integrate", times.integrate}, std::pair{"write", times.write}}) {
    table.add({what, fmt::format("{:.2f}", 1e3 * seconds), fmt::format("{:.0f} %", 100.0 * seconds / times.total())});
  }
  table.print();
}

void print_options(const Model& model, bool rigid) {
  const RunOptions& run = model.run;
  heading("options in force");
  Table table({"", ""});
  table.add({"model", fmt::format("{}{}", model.path, rigid ? ", every link rigid" : "")});
  for (const auto& [name, value] : model.parameters) table.add({"parameter " + name, number(value)});
  table.add(
      {"time", fmt::format("{} to {} s, a row every {} s", number(run.from), number(run.until), number(run.every))});
  table.add(
      {"integrator", fmt::format("{}, tolerance {}, rtol {}, atol {}, step {} s, longest {}", name_of(run.integrator),
                                 number(run.tolerance), number(run.rtol), number(run.atol), number(run.step),
                                 run.max_step > 0 ? number(run.max_step) + " s" : "not limited")});
  table.add({"formulation", std::string(name_of(run.formulation))});
  table.add({"projection", std::string(name_of(run.projection))});
  table.add({"condition limit", number(run.condition_limit)});
  table.print();
}

nlohmann::json to_json(const RunTimes& times) {
  return {{"load", times.load},
          {"plan", times.plan},
          {"assemble", times.assemble},
          {"integrate", times.integrate},
          {"write", times.write}};
}

}  // namespace lithe::cli
