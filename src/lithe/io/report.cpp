// The data block of the report page; docs/report.md describes it.

#include "lithe/io/report.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/derived_columns.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/quantity.hpp"
#include "lithe/io/read_visuals.hpp"
#include "lithe/io/report_loads.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/io/report_scene.hpp"
#include "lithe/io/results.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* pose_outcome = "pose";  ///< of a report without a run; the page knows the word

Json audit_of(const Results& results) {
  return results.finished ? Json::parse(audit_json(results.audit)) : Json(nullptr);
}

/// Rows to keep: all, or equally spaced ones with the first and the last, so that `bytes_per_row` stay in the budget.
std::vector<std::size_t> kept_rows(std::size_t rows, std::size_t bytes_per_row, std::size_t budget,
                                   std::size_t fewest) {
  const std::size_t most = std::max({budget / std::max<std::size_t>(bytes_per_row, 1), fewest, std::size_t{2}});
  std::vector<std::size_t> kept;
  if (rows <= most) {
    for (std::size_t row = 0; row < rows; ++row) kept.push_back(row);
    return kept;
  }
  for (std::size_t k = 0; k < most; ++k) kept.push_back(k * (rows - 1) / (most - 1));
  return kept;
}

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

/// Short names that tell the results apart: file names, with their folder where two files have the same name.
std::vector<std::string> labels_of(const std::vector<Results>& results) {
  std::vector<std::string> labels;
  for (const Results& each : results) {
    const bool alone = std::count_if(results.begin(), results.end(), [&](const Results& other) {
                         return stem_of(other.path) == stem_of(each.path);
                       }) == 1;
    labels.push_back(alone ? stem_of(each.path) : each.path);
  }
  return labels;
}

/// A column that is none of the results.
Json series_of(const DerivedColumn& column, const Mechanism& mechanism) {
  const Quantity quantity = quantity_of(column.name, &mechanism);
  const std::vector<float> values(column.values.begin(), column.values.end());
  return {
      {"name", column.name}, {"group", quantity.group}, {"unit", quantity.unit}, {"values", detail::packed(values)}};
}

/// `known`: the model of the result, when it need not be rebuilt from it.
Json result_block(const Results& results, const Model* known, const std::string& label, const ReportOptions& options,
                  std::size_t budget, Report& report) {
  Json scene = nullptr;
  std::string without_scene;
  std::optional<Model> model;
  std::size_t links = 0;
  bool elastic = false;
  try {
    model = known != nullptr ? *known : drawn_model_of(results);
    links = model->mechanism.links.size() - 1;
    for (const LinkData& link : model->mechanism.links) elastic = elastic || link.elastic.count() > 0;
  } catch (const std::exception& error) {
    without_scene = error.what();
  }
  const std::size_t bytes_per_row = 4 * (results.columns.size() + 7 * links * (elastic ? 2 : 1));
  const auto rows = kept_rows(results.rows(), bytes_per_row, budget, options.fewest_instants);
  if (model) {
    try {
      scene = detail::scene_of(*model, results, rows);
    } catch (const std::exception& error) {
      without_scene = error.what();
    }
  }
  if (!without_scene.empty()) {
    report.warnings.push_back(results.path + ": plots only, no picture of the mechanism: " + without_scene);
  }

  if (model && !model->visuals.empty()) report.notes.push_back(io::describe_visuals(model->visuals));

  Json series = Json::array();
  for (std::size_t c = 1; c < results.columns.size(); ++c) {
    const Quantity quantity = quantity_of(results.columns[c], model ? &model->mechanism : nullptr);
    series.push_back({{"name", results.columns[c]},
                      {"group", quantity.group},
                      {"unit", quantity.unit},
                      {"values", detail::packed_column(results, static_cast<int>(c), rows)}});
  }
  const bool runs = results.outcome != pose_outcome;
  const std::optional<Model> again =
      known == nullptr && model && runs ? model_with_laws(*model, results) : std::nullopt;
  const Model* laws = known != nullptr ? known : again ? &*again : nullptr;
  if (laws != nullptr && runs)
    for (const auto& each : tracking_errors(results, *laws, rows))
      series.push_back(series_of(each, laws->mechanism));
  if (laws != nullptr && !scene.is_null()) detail::draw_loads(*laws, results, rows, scene);
  return {{"label", label},
          {"file", std::filesystem::path(results.path).filename().string()},
          {"lithe", results.version},
          {"outcome", results.outcome},
          {"complete", results.outcome == "complete"},
          {"rows", results.rows()},
          {"model",
           {{"name", results.model_name},
            {"path", results.model_path},
            {"text", results.model_text},
            {"flattened", results.flattened == results.model_text ? std::string() : results.flattened},
            {"parameters", results.parameters}}},
          {"options", Json::parse(results.options, nullptr, false)},
          {"audit", audit_of(results)},
          {"time", detail::packed_column(results, 0, rows)},
          {"series", std::move(series)},
          {"scene", std::move(scene)},
          {"without_scene", without_scene}};
}

Report report_of(const std::vector<Results>& results, const Model* known, const ReportOptions& options) {
  Report report;
  const std::vector<std::string> labels = labels_of(results);
  Json blocks = Json::array();
  for (std::size_t k = 0; k < results.size(); ++k) {
    blocks.push_back(result_block(results[k], known, labels[k], options, options.budget / results.size(), report));
  }
  const Json data{{"format", 1},
                  {"lithe", version()},
                  {"title", options.title.empty() && !results.empty() ? results[0].model_name : options.title},
                  {"results", std::move(blocks)}};
  // Text from files may hold bytes that are no UTF-8; the page shows a mark for them.
  report.json = detail::json_text(data);
  return report;
}

/// A state as a result of one row: coordinates of all joints, cut ones included, and of elastic links.
Results pose_of(const Model& model, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  Results results;
  results.path = model.path;
  results.version = version();
  results.model_name = model.name;
  results.model_path = model.path;
  results.model_text = model.text;
  results.parameters = model.parameters;
  results.replaced = model.replaced;
  results.options = "{}";
  results.outcome = pose_outcome;
  const auto add = [&](const std::string& column, double value) {
    results.columns.push_back(column);
    results.data.push_back(value);
  };
  add("t", prepared.state.t);
  VectorX cut_q;
  cut_coordinates(plan, prepared.work, prepared.state.q, cut_q);
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const std::string name = "q." + plan.mechanism().joints[j].name;
    for (int k = 0; k < place.nq; ++k)
      add(place.nq == 1 ? name : name + "." + std::to_string(k), (place.cut ? cut_q : prepared.state.q)[place.q + k]);
  }
  for (const ElasticPlace& place : plan.elastic_places())
    for (int k = 0; k < place.count; ++k) add("q." + plan.speed_name(place.v + k), prepared.state.q[place.q + k]);
  return results;
}

}  // namespace

Report make_report(const std::vector<Results>& results, const ReportOptions& options) {
  return report_of(results, nullptr, options);
}

Report make_report(const Model& model, const ReportOptions& options) {
  Prepared prepared = prepare(model);
  return make_report(model, prepared, options);
}

Report make_report(const Model& model, Prepared& prepared, const ReportOptions& options) {
  return report_of({pose_of(model, prepared)}, &model, options);
}

Report make_report(const Model& model, const Results& results, const ReportOptions& options) {
  return report_of({results}, &model, options);
}

}  // namespace lithe
