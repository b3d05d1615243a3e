// The data block of the page of a study; docs/report.md describes it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "lithe/io/data_pages.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/study/statistics.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

constexpr long fewest_for_surface = 3;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Variants that the page gets: all, or evenly spaced ones with the first and the last, and those with a page of their own.
std::vector<long> shown_rows(const StoredStudy& study, const StudyPageOptions& options) {
  const StudyTable& table = study.table;
  const auto bytes = static_cast<long>(sizeof(double) * (table.axes.size() + table.outputs.size()));
  const long most = std::max(2L, static_cast<long>(options.budget) / bytes);
  std::vector<long> rows;
  if (table.rows <= most) {
    for (long k = 0; k < table.rows; ++k) rows.push_back(k);
    return rows;
  }
  for (long k = 0; k < most; ++k) rows.push_back(k * (table.rows - 1) / (most - 1));
  for (const auto& [row, page] : options.pages)
    if (row < table.rows) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// One block per column, so that the page has each in one piece.
Json packed_columns(const std::vector<std::string>& names, const std::vector<double>& values,
                    const std::vector<long>& rows) {
  Json columns = Json::array();
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<double> column;
    column.reserve(rows.size());
    for (const long row : rows) column.push_back(values[static_cast<std::size_t>(row) * names.size() + c]);
    columns.push_back({{"name", names[c]}, {"values", detail::packed_doubles(column)}});
  }
  return columns;
}

/// Messages, each once, with the places of its variants among those shown and how many there are in all.
Json failures_block(const StudyTable& table, const std::vector<long>& rows) {
  struct Kind {
    long count = 0;
    std::vector<std::size_t> places;
  };
  std::map<std::string, Kind> kinds;
  for (const std::string& error : table.errors)
    if (!error.empty()) ++kinds[error].count;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (const std::string& error = table.errors[rows[k]]; !error.empty())
      kinds[error].places.push_back(k);
  Json failures = Json::array();
  for (const auto& [message, kind] : kinds)
    failures.push_back({{"message", message}, {"count", kind.count}, {"places", kind.places}});
  return failures;
}

/// The quadratic surfaces of all outputs; null where there are too few variants.
Json surfaces_block(const StudyTable& table) {
  Json surfaces = Json::array();
  for (std::size_t i = 0; i < table.outputs.size(); ++i) {
    long good = 0;
    for (const long row : table.good_rows()) good += std::isfinite(table.results_of(row)[i]) ? 1 : 0;
    if (good < fewest_for_surface) {
      surfaces.push_back(nullptr);
      continue;
    }
    const ResponseSurface surface = response_surface(table, static_cast<int>(i));
    surfaces.push_back({{"mean", surface.mean},
                        {"scale", surface.scale},
                        {"constant", finite_or_null(surface.constant)},
                        {"linear", surface.linear},
                        {"quadratic", surface.quadratic},
                        {"determination", finite_or_null(surface.determination)}});
  }
  return surfaces;
}

/// Options of `lithe map` for the map of a study.
Json map_words(const Study& study) {
  Json words = Json::array();
  for (const MapAxis& axis : study.map->axes)
    words.insert(words.end(), {"--over", fmt::format("{}={}:{}:{}", axis.coordinate, axis.from, axis.to, axis.count)});
  for (const auto& [name, value] : study.map->held)
    words.insert(words.end(), {"--hold", fmt::format("{}={}", name, value)});
  std::set<std::string> quantities;
  for (const Output& output : study.outputs)
    if (output.kind == OutputKind::map && output.of != map_reached)
      quantities.insert(quantity_of_map_column(output.of));
  if (!quantities.empty()) words.insert(words.end(), {"--what", fmt::format("{}", fmt::join(quantities, ","))});
  const MapOptions usual;
  const auto add = [&](const char* option, const auto& value, const auto& usual_value) {
    if (value != usual_value) words.insert(words.end(), {option, fmt::format("{}", value)});
  };
  add("--frame", study.map->frame, usual.frame);
  add("--modes", study.map->modes, usual.modes);
  add("--payload", study.map->payload, usual.payload);
  add("--acceleration", study.map->acceleration, usual.acceleration);
  add("--branch", study.map->branch, usual.branch);
  return words;
}

/// How a variant is computed again: `lithe VERB MODEL SETS... --set AXIS=VALUE ... MORE`. Null: the study has no model.
Json command_block(const StudyFile& file) {
  const Study& study = file.study;
  if (file.model.empty() || !study.needs_model()) return nullptr;
  static constexpr const char* verbs[] = {"simulate", "inverse", "kinematics"};
  std::string verb = "check";
  if (study.needs_run())
    verb = verbs[static_cast<std::size_t>(study.run)];
  else if (study.needs_modes())
    verb = "modes";
  else if (study.needs_statics())
    verb = "statics";
  else if (study.needs_map())
    verb = "map";
  Json sets = Json::array();
  for (const auto& [name, value] : file.set) sets.push_back(name + "=" + value);
  Json command{{"verb", verb}, {"model", file.model}, {"sets", std::move(sets)}, {"records", study.needs_run()}};
  if (verb == "map") command["more"] = map_words(study);
  if (study.at && (verb == "modes" || verb == "statics")) command["at"] = *study.at;
  return command;
}

/// Objectives, limits, spacing of axes, and the command of a variant, from the text of the study.
void add_intentions(const StoredStudy& stored, Json& data, std::vector<std::string>& warnings) {
  std::optional<StudyFile> file;
  try {
    file = load_study_text(stored.record.text, stored.record.path);
  } catch (const std::exception& error) {
    warnings.push_back(fmt::format("the page knows neither objectives nor limits: the study in {} cannot be read: {}",
                                   stored.path, error.what()));
    return;
  }
  for (const Objective& each : file->study.objectives)
    data["objectives"].push_back({{"output", each.output}, {"maximize", each.maximize}});
  for (const Constraint& each : file->study.constraints)
    data["limits"].push_back({{"output", each.output},
                              {"least", each.least ? Json(*each.least) : Json(nullptr)},
                              {"most", each.most ? Json(*each.most) : Json(nullptr)}});
  for (std::size_t a = 0; a < file->study.axes.size() && a < data["axes"].size(); ++a) {
    const Distribution::Kind kind = file->study.axes[a].spread.kind;
    data["axes"][a]["log"] = kind == Distribution::Kind::log_uniform || kind == Distribution::Kind::lognormal;
  }
  data["command"] = command_block(*file);
}

}  // namespace

Report make_study_page(const StoredStudy& stored, const StudyPageOptions& options) {
  const StudyTable& table = stored.table;
  const std::vector<long> rows = shown_rows(stored, options);
  Report report;
  Json pages = Json::object();
  for (const auto& [row, page] : options.pages) pages[std::to_string(row)] = page;
  const Json analysis = Json::parse(stored.record.analysis, nullptr, false);
  Json data{{"format", 1},
            {"kind", "study"},
            {"lithe", version()},
            {"title", options.title.empty() ? stored.record.name : options.title},
            {"file", std::filesystem::path(stored.path).filename().string()},
            {"study", {{"path", stored.record.path}, {"method", stored.record.method}, {"text", stored.record.text}}},
            {"outcome", stored.record.outcome},
            {"rows", table.rows},
            {"numbers", detail::packed_doubles(std::vector<double>(rows.begin(), rows.end()))},
            {"axes", packed_columns(table.axes, table.values, rows)},
            {"outputs", packed_columns(table.outputs, table.results, rows)},
            {"failures", failures_block(table, rows)},
            {"surfaces", surfaces_block(table)},
            {"analysis", analysis.is_discarded() ? Json::object() : analysis},
            {"objectives", Json::array()},
            {"limits", Json::array()},
            {"command", nullptr},
            {"pages", std::move(pages)}};
  add_intentions(stored, data, report.warnings);
  report.json = detail::json_text(data);
  return report;
}

}  // namespace lithe
