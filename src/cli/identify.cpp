// lithe identify: parameters of models from measured records.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "figure.hpp"
#include "interrupt.hpp"
#include "lithe/io/identification_file.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "picture_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// "COLUMN=QUANTITY" texts as a map.
std::map<std::string, std::string> parse_columns(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> columns;
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(fmt::format("--columns {}: expected COLUMN=QUANTITY, e.g. --columns tip=pos.arm.tip.y", text));
    columns[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return columns;
}

IdentificationStudy load_study(const IdentifyOptions& options) {
  if (!options.record.empty()) {
    if (options.parameters.empty())
      throw InputError("--record needs --parameters: the names of what is sought, e.g. --parameters EI,damping");
    return load_identification(OneExperiment{options.model.path, parse_sets(options.model.sets), options.record,
                                             options.parameters, parse_columns(options.columns), options.run});
  }
  if (!options.parameters.empty() || !options.columns.empty() || !options.model.sets.empty() ||
      options.run != "simulate")
    throw InputError(
        "--parameters, --columns, --run and --set belong to --record; without it they stand in the identification "
        "file");
  return load_identification(options.model.path);
}

/// Digits that the deviation leaves meaningful, and one more.
std::string rounded(double value, double deviation) {
  if (!(deviation > 0.0) || value == 0.0) return number(value, 8);
  const double digits = std::log10(std::abs(value) / deviation) + 3.0;
  return number(value, static_cast<int>(std::clamp(digits, 2.0, 12.0)));
}

void print_estimates(const Identification& found) {
  heading("parameters");
  const std::string interval = fmt::format("{} percent interval", number(100 * found.confidence, 4));
  Table table({"parameter", "value", "deviation", interval, "start"}, "lrrrr");
  for (const Estimate& each : found.estimates) {
    if (!each.is_determined)
      table.add({each.name, bad("not determined"), "", "", number(each.start)});
    else if (each.is_at_bound)
      table.add({each.name, number(each.value), "", warning("at its bound"), number(each.start)});
    else
      table.add({each.name, rounded(each.value, each.deviation), number(each.deviation, 2),
                 fmt::format("{} to {}", rounded(each.lower, each.deviation), rounded(each.upper, each.deviation)),
                 number(each.start)});
  }
  table.print();
}

void print_correlations(const Identification& found) {
  const MatrixX& C = found.covariance;
  std::vector<std::string> strong;
  for (Eigen::Index a = 0; a < C.rows(); ++a)
    for (Eigen::Index b = 0; b < a; ++b)
      if (const double r = C(a, b) / std::sqrt(C(a, a) * C(b, b)); std::abs(r) > 0.9)
        strong.push_back(fmt::format("{} and {} ({:.3f})", found.covariance_names[b], found.covariance_names[a], r));
  if (!strong.empty()) fmt::print("errors that go together: {}\n", fmt::join(strong, ", "));
}

void print_fits(const Identification& found) {
  heading("measurements");
  Table table({"experiment", "column", "quantity", "samples", "rms residual", "noise", "explained", "correlation"},
              "lllrrrrr");
  for (const MeasurementFit& fit : found.fits)
    table.add({fit.held_back ? fit.experiment + " (held back)" : fit.experiment, fit.name, fit.quantity,
               fmt::format("{}", fit.samples), number(fit.rms, 3),
               fit.held_back && !fit.noise_given ? "" : number(fit.noise, 3) + (fit.noise_given ? " given" : ""),
               fmt::format("{:.2f} %", 100 * fit.explained), fmt::format("{:.2f}", fit.correlation)});
  table.print();
}

std::string settings_text(const Identification& found, const std::string& study) {
  std::string text = fmt::format("# Found by lithe identify from {}; for --set @FILE.\n", study);
  for (const Estimate& each : found.estimates) {
    if (!each.is_determined)
      text += fmt::format("# {} is not determined by the records\n", each.name);
    else
      text += fmt::format("{}={:.17g}  # deviation {:.2g}\n", each.name, each.value, each.deviation);
  }
  return text;
}

/// Measured and predicted, and below them their difference; a pair of panels for each measurement.
std::string figure_of(const Identification& found, const std::string& title) {
  std::vector<Panel> panels;
  double from = INFINITY, until = -INFINITY;
  for (const MeasurementFit& fit : found.fits) {
    std::vector<double> residuals;
    for (std::size_t k = 0; k < fit.times.size(); ++k) residuals.push_back(fit.measured[k] - fit.predicted[k]);
    const std::string name = fmt::format("{}, {}", fit.experiment, fit.name);
    panels.push_back(
        {name, {{"measured", fit.times, fit.measured, 0, 0}, {"predicted", fit.times, fit.predicted, 1, 0}}});
    panels.push_back({"residual", {{fit.held_back ? "residual, held back" : "residual", fit.times, residuals, 2, 0}}});
    if (fit.times.empty()) continue;
    from = std::min(from, fit.times.front());
    until = std::max(until, fit.times.back());
  }
  const std::string caution = found.remarks.trusted() ? "" : "not to be trusted: " + found.remarks.distrust[0];
  return svg_figure(panels, from, until, {title, caution, 160, 60});
}

nlohmann::json answer_of(const Identification& found) {
  nlohmann::json parameters = nlohmann::json::array(), fits = nlohmann::json::array(), blind = nlohmann::json::array();
  for (const Estimate& each : found.estimates) {
    nlohmann::json entry = {{"name", each.name}, {"start", each.start}, {"determined", each.is_determined}};
    entry["at_bound"] = each.is_at_bound;
    const bool has_interval = each.is_determined && !each.is_at_bound;
    entry["value"] = each.is_determined ? nlohmann::json(each.value) : nullptr;
    entry["deviation"] = has_interval ? nlohmann::json(each.deviation) : nullptr;
    entry["interval"] = has_interval ? nlohmann::json({each.lower, each.upper}) : nullptr;
    parameters.push_back(entry);
  }
  for (const BlindDirection& each : found.blind) {
    nlohmann::json parts = nlohmann::json::object();
    for (const auto& [name, scales] : each.parts) parts[name] = scales;
    blind.push_back({{"parameters", parts}, {"seen", each.seen}});
  }
  for (const MeasurementFit& fit : found.fits)
    fits.push_back({{"experiment", fit.experiment},
                    {"column", fit.name},
                    {"quantity", fit.quantity},
                    {"held_back", fit.held_back},
                    {"samples", fit.samples},
                    {"rms", fit.rms},
                    {"noise", fit.noise},
                    {"noise_given", fit.noise_given},
                    {"explained", fit.explained},
                    {"correlation", fit.correlation}});
  std::vector<double> singular(found.singular_values.begin(), found.singular_values.end());
  return {{"parameters", parameters},
          {"confidence", found.confidence},
          {"covariance", {{"parameters", found.covariance_names}, {"matrix", rows_of(found.covariance)}}},
          {"not_told_apart", blind},
          {"singular_values", singular},
          {"measurements", fits},
          {"converged", found.converged},
          {"iterations", found.iterations},
          {"runs", found.runs},
          {"remarks", cli::to_json(found.remarks)}};
}

}  // namespace

int identify(const IdentifyOptions& options) {
  if (!options.figure.empty()) require_picture_name(options.figure);
  if (!options.output.empty()) require_folder(options.output);
  IdentificationStudy study = load_study(options);
  tell(study.remarks);
  ProgressBar bar("identify " + study.name);
  study.options.threads = options.threads;
  study.options.stop = &stop_requested();
  study.options.progress = [&](int iteration, double misfit) {
    bar.relabel(fmt::format("identify {}: step {}, misfit {:.3g}", study.name, iteration, misfit));
    bar.show(std::min(1.0, iteration / static_cast<double>(study.options.most_iterations)));
  };
  const Identification found = identify(study.experiments, study.sought, study.options);
  if (!options.output.empty()) write_file(options.output, settings_text(found, options.model.path), study.files);
  if (!options.figure.empty()) write_picture(options.figure, figure_of(found, study.name), 200, study.files);
  const int code = exit_code_of(found.remarks);
  tell(found.remarks);
  if (options.model.json) {
    nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "identify"}, {"study", study.name}};
    answer.update(answer_of(found));
    print_json(answer);
    return code;
  }
  fmt::print("{}  {}\n", bold(study.name), dim(options.model.path));
  print_estimates(found);
  print_correlations(found);
  print_fits(found);
  fmt::print("{}\n", dim(fmt::format("{} steps, {} runs", found.iterations, found.runs)));
  std::string sets;
  for (const auto& [name, value] : found.values()) sets += fmt::format(" --set {}={:.10g}", name, value);
  if (!sets.empty()) fmt::print("to use it:{}\n", sets);
  return code;
}

}  // namespace lithe::cli
