#include "search_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "verbs.hpp"

namespace lithe::cli {

SearchHistory::SearchHistory(const Study& study, const std::string& journal, const std::string& fingerprint,
                             bool resume)
    : study_(study), journal_(journal, fingerprint, resume) {
  for (const StudyJournal::Record& record : journal_.records()) known_[record.number] = record.variant;
  if (!known_.empty()) note(fmt::format("{} variants are there already", known_.size()));
}

OptimizeControl SearchHistory::control(ProgressBar& bar, double most) {
  OptimizeControl control;
  control.stop = &stop_requested();
  control.known = [this](long step) {
    const auto found = known_.find(step);
    return found == known_.end() ? nullptr : &found->second;
  };
  control.finished = [this, &bar, most](long step, const std::vector<double>&, const Variant& variant) {
    journal_.add(step, variant);
    ++computed_;
    bar.show(std::min(1.0, static_cast<double>(computed_) / most));
  };
  control.passed = [this](long step, const std::vector<double>& values, const Variant& variant) {
    history_[step] = {values, variant};
  };
  return control;
}

std::string SearchHistory::why_none() const {
  const bool all_failed = std::all_of(history_.begin(), history_.end(),
                                      [](const auto& entry) { return !entry.second.second.error.empty(); });
  return all_failed && !history_.empty() ? history_.begin()->second.second.error : std::string();
}

int SearchHistory::tell_stopped() const {
  complain(fmt::format("stopped after {} variants; the same command with --resume goes on", history_.size()));
  return physics_failed;
}

/// Every variant that was computed, in the order of searches and steps.
StudyTable SearchHistory::table() const {
  StudyTable table;
  for (const StudyAxis& axis : study_.axes) table.axes.push_back(axis.name);
  for (const Output& output : study_.outputs) table.outputs.push_back(output.name);
  for (const auto& [number, entry] : history_) {
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

void SearchHistory::write(const std::string& hdf5, const std::string& csv, const StudyRecord& record,
                          const std::vector<std::string>& inputs) {
  const StudyTable all = table();
  write_study_hdf5(hdf5, record, all, inputs);
  if (!csv.empty()) write_study_csv(csv, all, inputs);
  journal_.remove();
}

nlohmann::ordered_json to_json(const Study& study, const Optimum& found) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object(), outputs = nlohmann::ordered_json::object();
  for (std::size_t a = 0; a < found.values.size(); ++a) values[study.axes[a].name] = found.values[a];
  for (std::size_t i = 0; i < found.outputs.size(); ++i) outputs[study.outputs[i].name] = found.outputs[i];
  return {{"values", values},
          {"outputs", outputs},
          {"feasible", found.feasible},
          {"ending", found.ending},
          {"evaluations", found.evaluations}};
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

}  // namespace lithe::cli
