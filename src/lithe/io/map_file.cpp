#include "lithe/io/map_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/number_text.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* map_kind = "map";
constexpr std::string_view point_names[] = {"unknown", "reached", "unreachable", "stopped", "no rest"};

void write_rows(hid_t parent, const std::string& name, std::size_t columns, const std::vector<double>& values) {
  detail::GrowingTable table(parent, name, columns);
  if (!values.empty()) table.append(values);
}

void write_grid(hid_t file, const WorkspaceMap& map) {
  const detail::H5Handle grid = detail::create_group(file, "grid");
  std::vector<std::string> names, held;
  std::vector<double> ranges, held_values, points;
  for (const MapAxis& axis : map.axes) {
    names.push_back(axis.coordinate);
    ranges.insert(ranges.end(), {axis.from, axis.to, static_cast<double>(axis.count)});
  }
  for (const auto& [name, value] : map.held) {
    held.push_back(name);
    held_values.push_back(value);
  }
  for (const MapPoint point : map.points) points.push_back(static_cast<double>(point));
  detail::write_strings(grid, "axes", names);
  detail::write_strings(grid, "units", map.axis_units);
  write_rows(grid, "ranges", 3, ranges);
  if (!held.empty()) {
    detail::write_strings(grid, "held", held);
    write_rows(grid, "held values", 1, held_values);
  }
  write_rows(grid, "points", 1, points);
  detail::write_attribute(grid, "coordinates", static_cast<double>(map.coordinates));
  if (map.coordinates > 0) write_rows(grid, "poses", static_cast<std::size_t>(map.coordinates), map.poses);
}

void write_quantities(hid_t file, const WorkspaceMap& map) {
  if (map.columns.empty()) return;
  const detail::H5Handle group = detail::create_group(file, "quantities");
  std::vector<std::string> names, units;
  for (const MapColumn& column : map.columns) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  detail::write_strings(group, "columns", names);
  detail::write_strings(group, "units", units);
  write_rows(group, "data", names.size(), map.values);
}

void write_curves(hid_t file, const WorkspaceMap& map) {
  if (map.curves.empty()) return;
  const detail::H5Handle group = detail::create_group(file, "boundaries");
  for (std::size_t k = 0; k < map.curves.size(); ++k) {
    const MapCurve& curve = map.curves[k];
    const detail::H5Handle one = detail::create_group(group, fmt::format("{}", k));
    detail::write_attribute(one, "kind", std::string(name_of(curve.kind)));
    detail::write_attribute(one, "joint", curve.joint);
    detail::write_attribute(one, "layer", static_cast<double>(curve.layer));
    detail::write_attribute(one, "closed", curve.closed ? 1.0 : 0.0);
    std::vector<double> rows;
    for (std::size_t i = 0; i < curve.x.size(); ++i) rows.insert(rows.end(), {curve.x[i], curve.y[i]});
    write_rows(one, "line", 2, rows);
  }
}

/// A number of things that are stored one by one, so that there are not many.
int as_count(double number, const std::string& name) {
  const long whole = detail::as_whole(number, name);
  if (whole < 0 || whole > 1'000'000) throw std::runtime_error(fmt::format("'{}' makes no sense", name));
  return static_cast<int>(whole);
}
int count_of(hid_t object, const std::string& name) { return as_count(detail::read_number(object, name), name); }

MapCurve read_curve(hid_t parent, const std::string& name) {
  const detail::H5Handle one = detail::open_group(parent, name);
  MapCurve curve;
  const std::string kind = detail::read_text(one, "kind");
  for (const MapCurve::Kind each :
       {MapCurve::Kind::reach, MapCurve::Kind::actuation, MapCurve::Kind::task, MapCurve::Kind::stop})
    if (name_of(each) == kind) curve.kind = each;
  curve.joint = detail::read_text(one, "joint");
  curve.layer = count_of(one, "layer");
  curve.closed = detail::read_number(one, "closed") != 0.0;
  const std::vector<double> rows = detail::read_table(one, "line", 2);
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    curve.x.push_back(rows[i]);
    curve.y.push_back(rows[i + 1]);
  }
  return curve;
}

void read_grid(hid_t file, WorkspaceMap& map) {
  const detail::H5Handle grid = detail::open_group(file, "grid");
  const std::vector<std::string> names = detail::read_strings(grid, "axes");
  const std::vector<double> ranges = detail::read_table(grid, "ranges", 3);
  if (names.size() < 2 || names.size() > 3 || ranges.size() != 3 * names.size())
    throw std::runtime_error("its axes make no sense");
  std::size_t size = 1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    map.axes.push_back({names[i], ranges[3 * i], ranges[3 * i + 1], as_count(ranges[3 * i + 2], "ranges")});
    if (map.axes.back().count < 2) throw std::runtime_error("its axes make no sense");
    size *= static_cast<std::size_t>(map.axes.back().count);
  }
  map.axis_units = detail::read_strings(grid, "units");
  if (detail::has_member(grid, "held")) {
    const std::vector<std::string> held = detail::read_strings(grid, "held");
    const std::vector<double> values = detail::read_table(grid, "held values", 1);
    for (std::size_t i = 0; i < std::min(held.size(), values.size()); ++i) map.held[held[i]] = values[i];
  }
  for (const double code : detail::read_table(grid, "points", 1))
    map.points.push_back(code >= 0 && code <= 4 ? static_cast<MapPoint>(static_cast<int>(code)) : MapPoint::unknown);
  map.coordinates = count_of(grid, "coordinates");
  if (map.coordinates > 0) map.poses = detail::read_table(grid, "poses", static_cast<std::size_t>(map.coordinates));
  if (map.points.size() != size || map.poses.size() != size * static_cast<std::size_t>(map.coordinates) ||
      map.axis_units.size() != names.size())
    throw std::runtime_error("it holds another number of points than its axes have");
}

void read_quantities(hid_t file, WorkspaceMap& map) {
  if (!detail::has_member(file, "quantities")) return;
  const detail::H5Handle group = detail::open_group(file, "quantities");
  const std::vector<std::string> names = detail::read_strings(group, "columns");
  const std::vector<std::string> units = detail::read_strings(group, "units");
  map.values = detail::read_table(group, "data", names.size());
  if (units.size() != names.size() || map.values.size() != map.size() * names.size())
    throw std::runtime_error("its columns do not fit together");
  for (std::size_t i = 0; i < names.size(); ++i) map.columns.push_back({names[i], units[i]});
}

}  // namespace

std::string_view name_of(MapPoint point) { return point_names[static_cast<std::size_t>(point)]; }

std::string map_request(const Model& model, const MapOptions& options) {
  Json axes = Json::array();
  for (const MapAxis& axis : options.axes) axes.push_back({axis.coordinate, axis.from, axis.to, axis.count});
  const Json request{{"lithe", version()},
                     {"model", model.flattened.empty() ? model.text : model.flattened},
                     {"files", model.attached},
                     {"parameters", model.parameters},
                     {"replaced", model.replaced},
                     {"axes", axes},
                     {"held", options.held},
                     {"frame", options.frame},
                     {"quantities", options.quantities},
                     {"modes", options.modes},
                     {"payload", options.payload},
                     {"acceleration", options.acceleration},
                     {"branch", options.branch},
                     {"boundaries", options.boundaries}};
  return detail::json_text(request);
}

void write_map(const std::string& path, const WorkspaceMap& map, const Model& model, const MapOptions& options) {
  ReplacingFile name(path, model.files);
  name.open();
  detail::WriteTarget target{name.descriptor()};
  {
    const detail::H5Handle file = detail::create_file(target);
    detail::write_attribute(file, "lithe version", std::string(version()));
    detail::write_attribute(file, "kind", std::string(map_kind));
    detail::write_attribute(file, "model name", model.name);
    detail::write_attribute(file, "model path", model.path);
    detail::write_attribute(file, "frame", map.frame);
    detail::write_attribute(file, "finished", map.finished ? 1.0 : 0.0);
    detail::write_bytes(file, "request", map_request(model, options));
    write_grid(file, map);
    write_quantities(file, map);
    write_curves(file, map);
  }
  name.require_written(target.fault);
  name.commit();
}

bool is_map_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || !detail::is_hdf5_file(path)) return false;
  try {
    const detail::H5Handle file = detail::open_file(path), root = detail::open_group(file, "/");
    for (const std::string& name : detail::attribute_names(root))
      if (name == "kind") return detail::read_text(root, "kind") == map_kind;
  } catch (const std::exception&) {
    // Whoever reads it as results says what is wrong with it.
  }
  return false;
}

StoredMap read_map(const std::string& path) {
  if (!is_map_file(path)) throw ResultsError(fmt::format("{} is no map; lithe map writes one with -o", path));
  StoredMap stored;
  try {
    const detail::H5Handle file = detail::open_file(path), root = detail::open_group(file, "/");
    stored.model_name = detail::read_text(root, "model name");
    stored.model_path = detail::read_text(root, "model path");
    stored.request = detail::read_bytes(root, "request");
    stored.map.frame = detail::read_text(root, "frame");
    stored.map.finished = detail::read_number(root, "finished") != 0.0;
    read_grid(root, stored.map);
    read_quantities(root, stored.map);
    if (detail::has_member(root, "boundaries")) {
      const detail::H5Handle group = detail::open_group(root, "boundaries");
      for (std::size_t k = 0; detail::has_member(group, fmt::format("{}", k)); ++k)
        stored.map.curves.push_back(read_curve(group, fmt::format("{}", k)));
    }
  } catch (const std::exception& error) {
    throw ResultsError(fmt::format("{} is damaged: {}; make the map again", path, error.what()));
  }
  return stored;
}

std::string map_csv(const WorkspaceMap& map) {
  std::string text;
  for (const MapAxis& axis : map.axes) text += axis.coordinate + ",";
  text += "point";
  for (const MapColumn& column : map.columns) text += "," + column.name;
  text += '\n';
  char number[io::longest_number];
  const auto put = [&](double value) {
    if (!std::isnan(value)) text.append(number, io::write_number(number, value));
  };
  for (std::size_t point = 0; point < map.size(); ++point) {
    for (const double value : map.place(point)) {
      put(value);
      text += ',';
    }
    text += name_of(map.points[point]);
    for (std::size_t k = 0; k < map.columns.size(); ++k) {
      text += ',';
      put(map.at(point, static_cast<int>(k)));
    }
    text += '\n';
  }
  return text;
}

}  // namespace lithe
