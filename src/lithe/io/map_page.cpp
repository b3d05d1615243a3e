// The data block of the page of a map; docs/report.md describes it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "lithe/io/data_pages.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/report_modes.hpp"
#include "lithe/io/report_motion.hpp"
#include "lithe/io/report_numbers.hpp"
#include "lithe/io/report_scene.hpp"
#include "lithe/simulation/map_values.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

constexpr double same_frequency = 1e-5;  ///< of the value in the map: it was computed from the same model

/// Every so-manieth point along each axis of a grid.
struct Thinning {
  std::vector<int> counts, strides;

  explicit Thinning(const std::vector<MapAxis>& axes) : strides(axes.size(), 1) {
    for (const MapAxis& axis : axes) counts.push_back(axis.count);
  }
  int count(std::size_t axis) const { return (counts[axis] - 1) / strides[axis] + 1; }
  std::size_t size() const {
    std::size_t all = 1;
    for (std::size_t i = 0; i < counts.size(); ++i) all *= static_cast<std::size_t>(count(i));
    return all;
  }
  /// Fewer points along the axis that has most of them, by whole multiples of `step`. False when there are two along each.
  bool coarsen(const std::vector<int>& step) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < counts.size(); ++i)
      if (count(i) > count(longest)) longest = i;
    if (count(longest) <= 2) return false;
    strides[longest] += step[longest];
    return true;
  }
  /// Indices in the whole grid, the first axis fastest.
  std::vector<std::size_t> points() const {
    std::vector<std::size_t> list{0};
    std::size_t along = 1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::vector<std::size_t> longer;
      for (int k = 0; k < count(i); ++k)
        for (const std::size_t point : list) longer.push_back(point + along * static_cast<std::size_t>(k * strides[i]));
      list = std::move(longer);
      along *= static_cast<std::size_t>(counts[i]);
    }
    return list;
  }
};

/// The grid that the page gets.
Thinning page_grid(const WorkspaceMap& map, std::size_t budget) {
  Thinning grid(map.axes);
  const std::size_t bytes = 1 + sizeof(float) * map.columns.size();
  const std::vector<int> single(map.axes.size(), 1);
  while (grid.size() * bytes > budget && grid.coarsen(single)) {
  }
  return grid;
}

Json axes_block(const WorkspaceMap& map, const Thinning& grid) {
  Json axes = Json::array();
  for (std::size_t i = 0; i < map.axes.size(); ++i) {
    const MapAxis& axis = map.axes[i];
    const int count = grid.count(i);
    axes.push_back({{"coordinate", axis.coordinate},
                    {"unit", map.axis_units[i]},
                    {"from", axis.from},
                    {"to", axis.at((count - 1) * grid.strides[i])},
                    {"count", count},
                    {"whole", axis.count}});
  }
  return axes;
}

Json columns_block(const WorkspaceMap& map, const std::vector<std::size_t>& points) {
  Json columns = Json::array();
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    std::vector<float> values;
    values.reserve(points.size());
    for (const std::size_t point : points) values.push_back(static_cast<float>(map.at(point, static_cast<int>(c))));
    columns.push_back(
        {{"name", map.columns[c].name}, {"unit", map.columns[c].unit}, {"values", detail::packed(values)}});
  }
  return columns;
}

/// Lines of the layers that the page has, with the number of the layer there.
Json curves_block(const WorkspaceMap& map, const Thinning& grid) {
  const int stride = map.axes.size() > 2 ? grid.strides[2] : 1;
  Json curves = Json::array();
  for (const MapCurve& curve : map.curves) {
    if (curve.layer % stride != 0) continue;
    std::vector<float> line;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      line.push_back(static_cast<float>(curve.x[k]));
      line.push_back(static_cast<float>(curve.y[k]));
    }
    curves.push_back({{"kind", name_of(curve.kind)},
                      {"joint", curve.joint},
                      {"layer", curve.layer / stride},
                      {"ends", curve.kind == MapCurve::Kind::reach || curve.kind == MapCurve::Kind::stop},
                      {"line", detail::packed(line)}});
  }
  return curves;
}

/// What the map was made from, as its request tells; of the quantities only the frequencies.
MapOptions options_of_request(const nlohmann::json& request, const WorkspaceMap& map) {
  MapOptions options;
  options.axes = map.axes;
  options.held = request.at("held").get<std::map<std::string, double>>();
  options.frame = request.at("frame").get<std::string>();
  for (const std::string name : {"frequency", "frequency-held", "frequency-free"})
    if (map.find(name + ".1") >= 0) options.quantities.push_back(name);
  options.modes = request.at("modes").get<int>();
  options.payload = request.at("payload").get<double>();
  options.branch = request.at("branch").get<int>();
  return options;
}

/// Poses of the map as rows of a result: coordinates of the joints of the tree, elastic ones zero.
Results rows_of_poses(const WorkspaceMap& map, const Plan& plan, const std::vector<std::size_t>& points) {
  Results results;
  results.columns.push_back("t");
  std::vector<int> sources;
  const Mechanism& mechanism = plan.mechanism();
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const JointPlace& place = plan.places()[j];
    for (int i = 0; i < place.nq && !place.cut; ++i) {
      const std::string name = "q." + mechanism.joints[j].name;
      results.columns.push_back(place.nq == 1 ? name : fmt::format("{}.{}", name, i));
      sources.push_back(place.q + i);
    }
  }
  if (*std::max_element(sources.begin(), sources.end()) >= map.coordinates)
    throw std::runtime_error("the poses of the map have other coordinates than its model");
  const std::size_t joints = sources.size();
  for (std::size_t l = 0; l < mechanism.links.size(); ++l)
    for (const std::string& column : detail::elastic_columns(plan, static_cast<int>(l)))
      results.columns.push_back(column);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t first = results.data.size();
    results.data.resize(first + results.columns.size(), 0.0);
    results.data[first] = static_cast<double>(k);
    for (std::size_t s = 0; s < joints; ++s)
      results.data[first + 1 + s] =
          map.poses[points[k] * static_cast<std::size_t>(map.coordinates) + static_cast<std::size_t>(sources[s])];
  }
  return results;
}

/// Where the mechanism can be drawn: points of the page with a pose, thinned until all fit.
std::vector<std::size_t> drawn_points(const WorkspaceMap& map, Thinning grid, std::size_t most) {
  const std::vector<int> step = grid.strides;
  for (;;) {
    std::vector<std::size_t> points = grid.points();
    std::erase_if(points, [&](std::size_t point) { return !map.has_pose(point); });
    if (points.size() <= most || !grid.coarsen(step)) return points;
  }
}

/// Shapes of the modes at the points that are drawn: per point and frequency column twists of the links and elastic
/// coordinates; not a number where the mode is not what the map says.
Json modes_block(const WorkspaceMap& map, const detail::MapSetup& setup, const std::vector<std::size_t>& points,
                 std::size_t& missing) {
  std::vector<int> columns;
  for (std::size_t c = 0; c < map.columns.size(); ++c)
    if (map.columns[c].name.starts_with("frequency")) columns.push_back(static_cast<int>(c));
  if (columns.empty()) return nullptr;
  const Plan& plan = setup.own();
  const std::size_t links = plan.mechanism().links.size() - 1;
  const auto elastic = static_cast<std::size_t>(detail::elastic_part(plan, VectorX::Zero(plan.nv())).size());
  const float none = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> twists, amplitudes;
  detail::MapValues values(setup);
  missing = 0;
  for (const std::size_t point : points) {
    const std::size_t first = twists.size(), first_amplitude = amplitudes.size();
    twists.resize(first + columns.size() * links * 6, none);
    amplitudes.resize(first_amplitude + columns.size() * elastic, none);
    const VectorX q = Eigen::Map<const VectorX>(map.poses.data() + point * static_cast<std::size_t>(map.coordinates),
                                                map.coordinates);
    std::vector<detail::MapMode> modes;
    try {
      modes = values.modes(q);
    } catch (const PhysicsError&) {
      continue;  // no rest, no modes: the map says so too
    }
    for (const detail::MapMode& mode : modes) {
      const int column = map.find(mode.column);
      const auto place = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
      if (place == columns.size()) continue;
      const double known = map.at(point, column);
      if (!(std::abs(mode.frequency - known) <= same_frequency * std::abs(known) + 1e-9)) {
        if (std::isfinite(known)) ++missing;
        continue;
      }
      const std::vector<float> moved = detail::twists_of(plan, values.elastic_work(), values.rest(), mode.speeds);
      const std::vector<float> bent = detail::elastic_part(plan, mode.speeds);
      std::copy(moved.begin(), moved.end(), twists.begin() + static_cast<long>(first + place * links * 6));
      std::copy(bent.begin(), bent.end(), amplitudes.begin() + static_cast<long>(first_amplitude + place * elastic));
    }
  }
  return {{"columns", columns}, {"twists", detail::packed(twists)}, {"elastic", detail::packed(amplitudes)}};
}

/// The mechanism at points of the map, and its modes there.
void add_drawing(const StoredMap& stored, const Thinning& grid, const MapPageOptions& options, Json& data,
                 std::vector<std::string>& warnings) {
  const WorkspaceMap& map = stored.map;
  const nlohmann::json request = detail::json_of(stored.request);
  const Model model = io::load_with_files(request.at("model").get<std::string>(), stored.model_path, {},
                                          request.at("files").get<std::map<std::string, std::string>>());
  const detail::MapSetup setup(model, options_of_request(request, map));
  const Model& drawn = setup.own_model();
  const Plan plan(drawn.mechanism, drawn.plan);
  std::size_t frequencies = 0, elastic = detail::elastic_part(plan, VectorX::Zero(plan.nv())).size();
  for (const MapColumn& column : map.columns) frequencies += column.name.starts_with("frequency") ? 1 : 0;
  const std::size_t links = drawn.mechanism.links.size() - 1;
  const std::size_t bytes = sizeof(float) * (7 * links + frequencies * (6 * links + elastic));
  const std::vector<std::size_t> points = drawn_points(
      map, grid,
      std::clamp<std::size_t>(options.poses_budget / std::max<std::size_t>(bytes, 1), 1, options.most_poses));
  if (points.empty()) throw std::runtime_error("no pose of the map is known");
  std::vector<std::size_t> rows(points.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = k;
  Json scene = detail::scene_of(drawn, rows_of_poses(map, plan, points), rows);
  scene.erase("rigid");  // poses of a map are those of straight links
  scene.erase("modes");
  data["scene"] = std::move(scene);
  std::vector<double> places;
  for (const std::size_t point : points)
    for (const double value : map.place(point)) places.push_back(value);
  data["drawn"] = detail::packed_doubles(places);
  std::size_t missing = 0;
  if (frequencies > 0) data["modes"] = modes_block(map, setup, points, missing);
  if (missing > 0)
    warnings.push_back(
        fmt::format("{} modes are not drawn: computed anew they do not have the frequency in the map (it was made with "
                    "--rigid, or by "
                    "another version of Lithe)",
                    missing));
}

}  // namespace

Report make_map_page(const StoredMap& stored, const MapPageOptions& options) {
  const WorkspaceMap& map = stored.map;
  const Thinning grid = page_grid(map, options.values_budget);
  const std::vector<std::size_t> points = grid.points();
  std::vector<unsigned char> kinds;
  kinds.reserve(points.size());
  for (const std::size_t point : points) kinds.push_back(static_cast<unsigned char>(map.points[point]));
  Report report;
  Json data{{"format", 1},
            {"kind", "map"},
            {"lithe", version()},
            {"title", options.title.empty() ? stored.model_name : options.title},
            {"file", std::filesystem::path(options.file).filename().string()},
            {"model", {{"name", stored.model_name}, {"path", stored.model_path}}},
            {"frame", map.frame},
            {"held", map.held},
            {"finished", map.finished},
            {"axes", axes_block(map, grid)},
            {"points", detail::packed_bytes(kinds)},
            {"columns", columns_block(map, points)},
            {"curves", curves_block(map, grid)},
            {"scene", nullptr},
            {"without_scene", ""},
            {"modes", nullptr}};
  try {
    add_drawing(stored, grid, options, data, report.warnings);
  } catch (const std::exception& error) {
    data["scene"] = nullptr;
    data["without_scene"] = error.what();
    report.warnings.push_back(fmt::format("the page has no picture of the mechanism: {}", error.what()));
  }
  report.json = detail::json_text(data);
  return report;
}

}  // namespace lithe
