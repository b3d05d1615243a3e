// lithe plot: a figure of columns of results.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "derived_results.hpp"
#include "figure.hpp"
#include "lithe/io/quantity.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/laws/suggestion.hpp"
#include "model_options.hpp"
#include "name_patterns.hpp"
#include "output_file.hpp"
#include "picture_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

/// Columns that any result has, in the order in which they were asked for.
std::vector<std::string> wanted_columns(const std::vector<Results>& results, const std::vector<std::string>& patterns) {
  std::vector<std::string> known, wanted;
  for (const Results& each : results) {
    for (const std::string& column : each.columns) {
      if (column != "t" && std::find(known.begin(), known.end(), column) == known.end()) known.push_back(column);
    }
  }
  if (patterns.empty()) {
    throw InputError(fmt::format("say what to plot, e.g. --what {}; there are: {}", known[0], fmt::join(known, ", ")));
  }
  for (std::string pattern : patterns) {
    bool any = false;
    if (const int named = results[0].find(pattern); named >= 0)  // pos.LINK.x is that of the origin
      pattern = results[0].columns[named];
    for (const std::string& column : known) {
      if (!fits(pattern, column)) continue;
      any = true;
      if (std::find(wanted.begin(), wanted.end(), column) == wanted.end()) wanted.push_back(column);
    }
    if (any) continue;
    if (pattern.starts_with("deflection"))
      throw InputError(
          fmt::format("--what {}: {} has no such column; record it (record: [deflections: [LINK/FRAME]]), or plot how "
                      "far a frame moves in its link (--what bending.LINK.FRAME.y) or from the rigid mechanism (--what "
                      "'deflection-at.*')",
                      pattern, results[0].path));
    const std::string hint = did_you_mean(pattern, known);
    throw InputError(fmt::format("--what {}: no such column in {}{}", pattern, results[0].path,
                                 hint.empty() ? fmt::format("; there are: {}", fmt::join(known, ", ")) : hint));
  }
  return wanted;
}

std::string axis_label(const std::string& column, const Mechanism& mechanism) {
  const Quantity quantity = quantity_of(column, &mechanism);
  return quantity.unit.empty() ? quantity.group : fmt::format("{} ({})", quantity.group, quantity.unit);
}

/// One panel for each group of quantities, so that no axis mixes units.
std::vector<Panel> panels_of(const std::vector<Results>& results, const std::vector<std::string>& columns) {
  const Model model = drawn_model_of(results[0]);
  std::vector<Panel> panels;
  for (const std::string& column : columns) {
    const std::string label = axis_label(column, model.mechanism);
    auto panel = std::find_if(panels.begin(), panels.end(), [&](const Panel& each) { return each.label == label; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{label, {}});
    const int colour = panel->curves.empty() ? 0 : panel->curves.back().colour + 1;
    for (std::size_t r = 0; r < results.size(); ++r) {
      const int index = results[r].find(column);
      if (index < 0) continue;
      const std::string name =
          results.size() == 1 ? column : fmt::format("{}, {}", column, fs::path(results[r].path).stem().string());
      panel->curves.push_back({name, results[r].column(0), results[r].column(index), colour, static_cast<int>(r)});
    }
  }
  // One quantity of several results: the colours tell the results apart.
  for (Panel& panel : panels) {
    if (panel.curves.back().colour > 0) continue;
    for (Curve& curve : panel.curves) curve.colour = curve.dash;
  }
  return panels;
}

/// One line above the curves when one of the results is not to be trusted; a figure travels without its messages.
std::string caution_about(const std::vector<Results>& results) {
  for (const Results& each : results)
    if (!each.audit.trusted())
      return fmt::format("{}: not to be trusted: {}", fs::path(each.path).filename().string(), each.audit.distrust[0]);
  return {};
}

}  // namespace

int plot(const PlotOptions& options) {
  require_picture_name(options.output);
  std::vector<Results> results;
  for (const std::string& path : options.results) results.push_back(read_results(path));
  const auto is_wanted = [&](const std::string& name) {
    return std::any_of(options.what.begin(), options.what.end(),
                       [&](const std::string& pattern) { return fits(pattern, name); });
  };
  if (std::any_of(options.what.begin(), options.what.end(), asks_for_derived))
    for (Results& each : results) add_derived(is_wanted, each);
  const std::vector<std::string> columns = wanted_columns(results, options.what);

  double from = results[0].at(0, 0), until = from;
  for (const Results& each : results) {
    from = std::min(from, each.at(0, 0));
    until = std::max(until, each.at(each.rows() - 1, 0));
  }
  from = options.from.value_or(from);
  until = options.until.value_or(until);
  if (!std::isfinite(from) || !std::isfinite(until)) throw InputError("the time axis needs a start and an end");
  if (until < from) throw InputError(fmt::format("the time axis ends at {} s, before its start at {} s", until, from));
  for (const Results& each : results) tell_of(each);
  const std::string svg = svg_figure(panels_of(results, columns), from, until,
                                     {options.title, caution_about(results), options.width, options.height});
  write_picture(options.output, svg, options.dpi, options.results);

  if (options.json) {
    const nlohmann::json answer = {{"ok", true},
                                   {"exit", fine},
                                   {"verb", "plot"},
                                   {"figure", options.output},
                                   {"columns", columns},
                                   {"results", options.results},
                                   {"remarks", remarks_json(results)}};
    print_json(answer);
  } else {
    fmt::print("{}: {}\n", options.output, fmt::join(columns, ", "));
  }
  return fine;
}

}  // namespace lithe::cli
