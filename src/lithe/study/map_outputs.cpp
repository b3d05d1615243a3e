#include "lithe/study/map_outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "lithe/laws/suggestion.hpp"

namespace lithe::detail {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double reached_part(const WorkspaceMap& map) {
  const auto reached = std::count_if(map.points.begin(), map.points.end(), [](MapPoint point) {
    return point == MapPoint::reached || point == MapPoint::no_rest;
  });
  return static_cast<double>(reached) / static_cast<double>(map.size());
}

int column_of(const Output& output, const WorkspaceMap& map) {
  if (const int column = map.find(output.of); column >= 0) return column;
  std::vector<std::string> known;
  for (const MapColumn& each : map.columns)
    if (quantity_of_map_column(each.name) == quantity_of_map_column(output.of)) known.push_back(each.name);
  throw OutputError(output.name,
                    fmt::format("the map has no column '{}'; there are: {}", output.of, fmt::join(known, ", ")));
}

/// Columns of the model, whose quantities the outputs name.
MapOptions options_for(const Study& study) {
  if (!study.map)
    throw OutputError(study_map_place, "outputs are taken from a map, but the study has none: say 'map: {over: ...}'");
  MapOptions options = *study.map;
  std::set<std::string> quantities;
  for (const Output& output : study.outputs) {
    if (output.kind != OutputKind::map || output.of == map_reached) continue;
    const std::string quantity = quantity_of_map_column(output.of);
    if (quantity.empty()) throw OutputError(output.name, fmt::format("a map has no column '{}'", output.of));
    quantities.insert(quantity);
  }
  options.quantities.assign(quantities.begin(), quantities.end());
  options.boundaries = false;
  options.threads = 1;  // variants are what threads share
  return options;
}

/// What of the study a complaint is about; empty: it is about the mechanism of the variant.
std::string place_of(const std::string& element, const MapOptions& options) {
  static const std::set<std::string> keys{"axes", "branch", "frame", "modes", "payload", "acceleration"};
  const bool is_coordinate =
      options.held.contains(element) || std::any_of(options.axes.begin(), options.axes.end(),
                                                    [&](const MapAxis& axis) { return axis.coordinate == element; });
  if (is_coordinate) return element;
  const bool is_frame =
      !options.frame.empty() && options.frame.starts_with(element);  // or its link, which is named first
  return keys.contains(element) || is_frame ? study_map_place : "";
}

}  // namespace

double reduce_map(const Output& output, const WorkspaceMap& map) {
  if (output.of == map_reached) return reached_part(map);
  const int column = column_of(output, map);
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0.0;
  std::size_t count = 0, within = 0;
  for (std::size_t point = 0; point < map.size(); ++point) {
    const double value = map.at(point, column);
    if (std::isnan(value)) continue;
    ++count;
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
    if ((!output.above || value >= *output.above) && (!output.below || value <= *output.below)) ++within;
  }
  if (output.what == "share") return static_cast<double>(within) / static_cast<double>(map.size());
  if (count == 0) return none;
  if (output.what == "max") return most;
  if (output.what == "min") return least;
  return sum / static_cast<double>(count);
}

void add_map(const Study& study, const Model& model, const std::atomic<bool>* stop, Variant& variant) {
  const MapOptions options = options_for(study);
  MapProgress progress;
  progress.stop = stop;
  WorkspaceMap map;
  try {
    map = make_map(model, options, progress);
  } catch (const MechanismError& error) {
    const std::string place = place_of(error.element(), options);
    if (place.empty()) throw;
    throw OutputError(place, error.what());
  }
  if (!map.finished) {
    variant.error = "stopped";
    return;
  }
  for (std::size_t i = 0; i < study.outputs.size(); ++i)
    if (study.outputs[i].kind == OutputKind::map) variant.outputs[i] = reduce_map(study.outputs[i], map);
  if (std::find(map.points.begin(), map.points.end(), MapPoint::no_rest) != map.points.end())
    variant.error = map.warnings.front();  // says at how many points, and why
}

}  // namespace lithe::detail
