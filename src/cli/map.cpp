// lithe map: what a robot reaches and how stiff it is, over a grid of poses.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "contour_figure.hpp"
#include "interrupt.hpp"
#include "lithe/io/map_file.hpp"
#include "lithe/laws/expression.hpp"
#include "lithe/laws/suggestion.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "picture_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr int usual_count = 50;
constexpr std::chrono::duration<double> save_interval(2.0);
constexpr double save_share = 0.05;  ///< of the time
constexpr std::size_t most_panels = 8;

/// A value of the command line: a number, or an expression of the parameters of the model.
double number_of(const std::string& option, const std::string& text, const Model& model) {
  try {
    return Expression::parse(text, model.parameters, false).value();
  } catch (const ExpressionError& error) {
    throw InputError(fmt::format("{}: '{}' is no number: {}", option, text, error.what()));
  }
}

std::pair<std::string, std::string> name_and_value(const std::string& option, const std::string& text,
                                                   const char* form) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw InputError(fmt::format("{} {}: expected {}", option, text, form));
  return {text.substr(0, equal), text.substr(equal + 1)};
}

MapAxis axis_of(const std::string& text, const Model& model) {
  constexpr const char* form = "COORDINATE=FROM:TO or COORDINATE=FROM:TO:COUNT";
  const auto [name, range] = name_and_value("--over", text, form);
  std::vector<std::string> parts{""};
  for (const char c : range) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back().push_back(c);
  }
  if (parts.size() < 2 || parts.size() > 3) throw InputError(fmt::format("--over {}: expected {}", text, form));
  const std::string option = "--over " + name;
  MapAxis axis{name, number_of(option, parts[0], model), number_of(option, parts[1], model), usual_count};
  if (parts.size() == 3) {
    const double count = number_of(option, parts[2], model);
    if (!(count >= 2.0) || count > 10000.0 || count != std::floor(count))
      throw InputError(fmt::format("{}: {} points are not possible; 2 to 10000 are", option, parts[2]));
    axis.count = static_cast<int>(count);
  }
  return axis;
}

MapOptions options_of(const MapVerbOptions& given, const Model& model) {
  MapOptions options;
  for (const std::string& text : given.over) options.axes.push_back(axis_of(text, model));
  for (const std::string& text : given.hold) {
    const auto [name, value] = name_and_value("--hold", text, "COORDINATE=VALUE");
    options.held[name] = number_of("--hold " + name, value, model);
  }
  options.frame = given.frame;
  options.quantities = given.what;
  options.modes = given.modes;
  options.payload = given.payload;
  options.acceleration = given.acceleration;
  options.branch = given.branch;
  options.threads =
      given.threads > 0 ? given.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return options;
}

/// An unfinished map beside the output: what has been found so far, for the next time.
class Unfinished {
 public:
  Unfinished(const std::string& output, const Model& model, const MapOptions& options)
      : path_(output.empty() ? std::string{} : output + ".unfinished"), model_(model), options_(options) {}

  /// What is there of the same map.
  const WorkspaceMap* find() {
    if (path_.empty() || !is_map_file(path_)) return nullptr;
    try {
      stored_ = read_map(path_);
    } catch (const ResultsError&) {
      return nullptr;
    }
    if (stored_.request != map_request(model_, options_)) return nullptr;
    note(fmt::format("going on with {}", path_));
    return &stored_.map;
  }

  void save(const WorkspaceMap& map, bool now) {
    const auto begin = std::chrono::steady_clock::now();
    if (path_.empty() || (!now && begin - saved_ < interval_)) return;
    write_map(path_, map, model_, options_);
    saved_ = std::chrono::steady_clock::now();
    interval_ = std::max(save_interval, std::chrono::duration<double>(saved_ - begin) / save_share);
  }

  void remove() const {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  const Model& model_;
  const MapOptions& options_;
  StoredMap stored_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  std::chrono::duration<double> interval_ = save_interval;
};

struct Extremes {
  bool infinite = false;  ///< somewhere
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  std::size_t at_least = 0, at_most = 0, count = 0;
};

Extremes extremes_of(const WorkspaceMap& map, int column) {
  Extremes found;
  for (std::size_t point = 0; point < map.size(); ++point) {
    const double value = map.at(point, column);
    found.infinite = found.infinite || std::isinf(value);
    if (!std::isfinite(value)) continue;
    ++found.count;
    if (value < found.least) {
      found.least = value;
      found.at_least = point;
    }
    if (value > found.most) {
      found.most = value;
      found.at_most = point;
    }
  }
  return found;
}

std::size_t count_of(const WorkspaceMap& map, MapPoint kind) {
  return static_cast<std::size_t>(std::count(map.points.begin(), map.points.end(), kind));
}

std::string place_text(const WorkspaceMap& map, std::size_t point) {
  std::vector<std::string> numbers;
  for (const double value : map.place(point)) numbers.push_back(number(value, 5));
  return fmt::format("{}", fmt::join(numbers, ", "));
}

const char* words_of(MapCurve::Kind kind) {
  switch (kind) {
    case MapCurve::Kind::reach:
      return "reach";
    case MapCurve::Kind::actuation:
      return "motors do not hold";
    case MapCurve::Kind::task:
      return "frame loses a freedom";
    case MapCurve::Kind::stop:
      break;
  }
  return "joint stop";
}

/// Columns that are drawn: those that are named, else the first of each quantity.
std::vector<int> drawn_columns(const WorkspaceMap& map, const std::vector<std::string>& named) {
  std::vector<int> columns;
  std::vector<std::string> known;
  for (const MapColumn& column : map.columns) known.push_back(column.name);
  for (const std::string& name : named) {
    const int column = map.find(name);
    if (column < 0)
      throw InputError(fmt::format("--draw {}: the map has no such column{}", name,
                                   known.empty() ? "; ask for quantities with --what"
                                   : did_you_mean(name, known).empty()
                                       ? fmt::format("; there are: {}", fmt::join(known, ", "))
                                       : did_you_mean(name, known)));
    columns.push_back(column);
  }
  if (!columns.empty()) return columns;
  std::string last;
  for (std::size_t k = 0; k < map.columns.size() && columns.size() < most_panels; ++k) {
    const std::string family = map.columns[k].name.substr(0, map.columns[k].name.find('.'));
    if (family != last) columns.push_back(static_cast<int>(k));
    last = family;
  }
  return columns;
}

std::string figure_of(const WorkspaceMap& map, const MapVerbOptions& given, const std::string& name) {
  const auto axis = [&](int i) {
    return ContourAxis{fmt::format("{} ({})", map.axes[i].coordinate, map.axis_units[i]), map.axes[i].from,
                       map.axes[i].to, map.axes[i].count};
  };
  const std::size_t layer_size =
      static_cast<std::size_t>(map.axes[0].count) * static_cast<std::size_t>(map.axes[1].count);
  const int layers = map.axes.size() > 2 ? map.axes[2].count : 1;
  const int layer = given.layer > 0 ? given.layer - 1 : layers / 2;
  if (layer >= layers) throw InputError(fmt::format("--layer {}: the third axis has {} points", given.layer, layers));
  const std::size_t first = layer_size * static_cast<std::size_t>(layer);
  const auto panel = [&](const std::string& label, const auto& value) {
    ContourPanel drawn{label, {}};
    for (std::size_t k = 0; k < layer_size; ++k) drawn.values.push_back(value(first + k));
    return drawn;
  };
  std::vector<ContourPanel> panels;
  for (const int column : drawn_columns(map, given.draw)) {
    const MapColumn& drawn = map.columns[column];
    panels.push_back(panel(drawn.unit == "1" ? drawn.name : fmt::format("{} ({})", drawn.name, drawn.unit),
                           [&](std::size_t point) { return map.at(point, column); }));
  }
  if (panels.empty())
    panels.push_back(panel("reach", [&](std::size_t point) {
      return map.points[point] == MapPoint::reached ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    }));
  std::vector<ContourLine> lines;
  for (const MapCurve& curve : map.curves)
    if (curve.layer == layer)
      lines.push_back({words_of(curve.kind), static_cast<int>(curve.kind), curve.x, curve.y,
                       curve.kind == MapCurve::Kind::reach || curve.kind == MapCurve::Kind::stop});
  std::string title = name;
  if (layers > 1)
    title += fmt::format(", {} = {} {}", map.axes[2].coordinate, number(map.axes[2].at(layer), 5), map.axis_units[2]);
  return svg_contours(axis(0), axis(1), panels, lines, {title, given.width, map.axis_units[0] == map.axis_units[1]});
}

nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json answer_of(const WorkspaceMap& map) {
  nlohmann::json answer;
  answer["axes"] = nlohmann::json::array();
  for (std::size_t i = 0; i < map.axes.size(); ++i) {
    const MapAxis& axis = map.axes[i];
    answer["axes"].push_back({{"coordinate", axis.coordinate},
                              {"unit", map.axis_units[i]},
                              {"from", axis.from},
                              {"to", axis.to},
                              {"count", axis.count}});
  }
  answer["frame"] = map.frame;
  answer["held"] = map.held;
  answer["finished"] = map.finished;
  answer["points"] = nlohmann::json::array();
  for (const MapPoint point : map.points) answer["points"].push_back(name_of(point));
  answer["columns"] = nlohmann::json::array();
  answer["values"] = nlohmann::json::object();
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    answer["columns"].push_back({{"name", map.columns[k].name}, {"unit", map.columns[k].unit}});
    nlohmann::json& values = answer["values"][map.columns[k].name] = nlohmann::json::array();
    for (std::size_t point = 0; point < map.size(); ++point)
      values.push_back(number_or_null(map.at(point, static_cast<int>(k))));
  }
  answer["boundaries"] = nlohmann::json::array();
  for (const MapCurve& curve : map.curves)
    answer["boundaries"].push_back({{"kind", name_of(curve.kind)},
                                    {"joint", curve.joint},
                                    {"layer", curve.layer},
                                    {"closed", curve.closed},
                                    {"x", curve.x},
                                    {"y", curve.y}});
  return answer;
}

void print_map(const Model& model, const WorkspaceMap& map) {
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(fmt::format("{} of {} points are reached",
                      map.size() - count_of(map, MapPoint::unreachable) - count_of(map, MapPoint::stopped) -
                          count_of(map, MapPoint::unknown),
                      map.size()));
  for (const auto& [kind, words] :
       {std::pair{MapPoint::stopped, "beyond the stop of a joint"},
        std::pair{MapPoint::no_rest, "reached, but without rest"}, std::pair{MapPoint::unknown, "not decided yet"}})
    if (const std::size_t count = count_of(map, kind); count > 0) fmt::print("{}: {}\n", words, count);
  std::vector<std::string> held;
  for (const auto& [name, value] : map.held) held.push_back(fmt::format("{} = {}", name, number(value, 6)));
  if (!held.empty()) fmt::print("held: {}\n", fmt::join(held, ", "));
  Table table({"quantity", "unit", "least", "at", "most", "at"}, "llrlrl");
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    const Extremes found = extremes_of(map, static_cast<int>(k));
    if (found.count == 0)
      table.add({map.columns[k].name, map.columns[k].unit, found.infinite ? "infinite" : "-", "",
                 found.infinite ? "infinite" : "-", ""});
    else
      table.add({map.columns[k].name, map.columns[k].unit, number(found.least, 5), place_text(map, found.at_least),
                 number(found.most, 5), place_text(map, found.at_most)});
  }
  if (!table.empty()) {
    fmt::print("frame: {}\n", map.frame);
    table.print();
  }
  Table lines({"boundary", "lines", "points"}, "lrr");
  for (const MapCurve::Kind kind :
       {MapCurve::Kind::reach, MapCurve::Kind::actuation, MapCurve::Kind::task, MapCurve::Kind::stop}) {
    std::size_t count = 0, points = 0;
    for (const MapCurve& curve : map.curves) {
      if (curve.kind != kind) continue;
      ++count;
      points += curve.x.size();
    }
    if (count > 0) lines.add({words_of(kind), fmt::format("{}", count), fmt::format("{}", points)});
  }
  if (!lines.empty()) lines.print();
}

}  // namespace

int map(const MapVerbOptions& given) {
  if (!given.output.empty()) {
    if (!given.output.ends_with(".h5"))
      throw InputError(fmt::format("{}: the name of a map ends in .h5", given.output));
    require_folder(given.output);
  }
  if (!given.csv.empty() && given.csv != "-") require_folder(given.csv);
  for (const std::string& figure : given.figures) require_picture_name(figure);
  if (given.over.size() < 2 || given.over.size() > 3)
    throw InputError(fmt::format(
        "a map needs two or three axes, e.g. --over pos.platform.x=-0.2:0.2 --over pos.platform.y=-0.2:0.2; {} given",
        given.over.size()));
  const Model model = load(given.model);
  const MapOptions options = options_of(given, model);
  Unfinished unfinished(given.output, model, options);
  WorkspaceMap found;
  {
    ProgressBar bar("map");
    MapProgress progress;
    progress.stop = &stop_requested();
    progress.known = unfinished.find();
    progress.report = [&](const WorkspaceMap& so_far, double fraction) {
      bar.show(fraction);
      unfinished.save(so_far, false);
    };
    found = make_map(model, options, progress);
  }
  Remarks remarks = model.remarks;
  remarks.warnings.insert(remarks.warnings.end(), found.warnings.begin(), found.warnings.end());
  tell(remarks);
  if (!found.finished) {
    unfinished.save(found, true);
    throw PhysicsError(
        unfinished.path().empty()
            ? std::string("interrupted; with -o FILE.h5 what has been found is kept, and the same command goes on")
            : fmt::format("interrupted; {} has what was found, and the same command goes on", unfinished.path()));
  }
  if (!given.output.empty()) write_map(given.output, found, model, options);
  unfinished.remove();
  if (given.csv == "-")
    fmt::print("{}", map_csv(found));
  else if (!given.csv.empty())
    write_file(given.csv, map_csv(found), model.files);
  for (const std::string& figure : given.figures)
    write_picture(figure, figure_of(found, given, model.name), given.dpi, model.files);
  if (given.model.json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"verb", "map"}, {"model", model.name}};
    answer.update(to_json(remarks));
    answer.update(answer_of(found));
    print_json(answer, -1);
  } else if (given.csv != "-") {
    print_map(model, found);
  }
  return fine;
}

}  // namespace lithe::cli
