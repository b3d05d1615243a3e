// Maps over a grid of poses.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <thread>
#include <tuple>

#include "analysis.hpp"
#include "lithe/io/map_file.hpp"

namespace lithe::python {
namespace {

/// A map with what it was made from, which its file carries.
struct FoundMap {
  WorkspaceMap map;
  std::shared_ptr<Model> model;
  MapOptions options;
};

using Range = std::tuple<double, double, int>;

FoundMap map_of(const std::shared_ptr<Model>& model, const py::dict& over, const std::map<std::string, double>& hold,
                std::vector<std::string> what, const std::string& frame, int modes, double payload, double acceleration,
                int branch, int threads, bool boundaries) {
  MapOptions options;
  for (const auto& [name, range] : over) {  // a dict keeps its order
    const auto [from, to, count] = range.cast<Range>();
    options.axes.push_back({name.cast<std::string>(), from, to, count});
  }
  options.held = hold;
  options.quantities = std::move(what);
  options.frame = frame;
  options.modes = modes;
  options.payload = payload;
  options.acceleration = acceleration;
  options.branch = branch;
  options.threads = threads > 0 ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  options.boundaries = boundaries;
  FoundMap found{{}, model, options};
  {
    const py::gil_scoped_release unlocked;
    found.map = make_map(*model, options);
  }
  Remarks remarks;
  remarks.warnings = found.map.warnings;
  warn_of(remarks);
  return found;
}

/// Of the grid: the last axis first, as an image has its rows.
std::vector<py::ssize_t> shape_of(const WorkspaceMap& map) {
  std::vector<py::ssize_t> shape;
  for (auto axis = map.axes.rbegin(); axis != map.axes.rend(); ++axis) shape.push_back(axis->count);
  return shape;
}

py::array_t<double> column_of(const FoundMap& found, const std::string& name) {
  const int column = found.map.find(name);
  if (column < 0) {
    std::vector<std::string> known;
    for (const MapColumn& each : found.map.columns) known.push_back(each.name);
    refuse_name("column", name, known);
  }
  py::array_t<double> values(shape_of(found.map));
  for (std::size_t point = 0; point < found.map.size(); ++point)
    values.mutable_data()[point] = found.map.at(point, column);
  return values;
}

py::array_t<double> axis_values(const MapAxis& axis) {
  py::array_t<double> values(axis.count);
  for (int k = 0; k < axis.count; ++k) values.mutable_data()[k] = axis.at(k);
  return values;
}

}  // namespace

void bind_maps(py::module_& m) {
  py::class_<MapCurve>(m, "MapBoundary", "A line along which something ends, in the plane of the first two axes.")
      .def_property_readonly(
          "kind", [](const MapCurve& c) { return std::string(name_of(c.kind)); },
          "'reach', 'actuation', 'task' or 'stop'.")
      .def_readonly("joint", &MapCurve::joint, "Of a stop.")
      .def_readonly("layer", &MapCurve::layer, "Point of the third axis.")
      .def_readonly("closed", &MapCurve::closed, "Ends where it starts.")
      .def_property_readonly(
          "x", [](const MapCurve& c) { return py::array_t<double>(static_cast<py::ssize_t>(c.x.size()), c.x.data()); },
          "Values of the first axis.")
      .def_property_readonly(
          "y", [](const MapCurve& c) { return py::array_t<double>(static_cast<py::ssize_t>(c.y.size()), c.y.data()); },
          "Values of the second axis.");

  py::class_<FoundMap>(m, "Map", R"(Quantities over a grid of poses.

map["compliance"] is an array with one entry per point, not a number where there is no value; the last axis comes first, as
the rows of an image do. SI units.)")
      .def("__getitem__", &column_of, py::arg("column"), "Column by name, one entry per point of the grid.")
      .def_property_readonly(
          "columns",
          [](const FoundMap& f) {
            std::vector<std::string> names;
            for (const MapColumn& each : f.map.columns) names.push_back(each.name);
            return names;
          },
          "Names of the columns.")
      .def_property_readonly(
          "units",
          [](const FoundMap& f) {
            std::map<std::string, std::string> units;
            for (const MapColumn& each : f.map.columns) units[each.name] = each.unit;
            for (std::size_t i = 0; i < f.map.axes.size(); ++i) units[f.map.axes[i].coordinate] = f.map.axis_units[i];
            return units;
          },
          "Units of columns and axes.")
      .def_property_readonly(
          "axes",
          [](const FoundMap& f) {
            py::dict axes;
            for (const MapAxis& axis : f.map.axes) axes[py::str(axis.coordinate)] = axis_values(axis);
            return axes;
          },
          "Values of the axes, by coordinate.")
      .def_property_readonly(
          "reached",
          [](const FoundMap& f) {
            py::array_t<bool> reached(shape_of(f.map));
            for (std::size_t point = 0; point < f.map.size(); ++point)
              reached.mutable_data()[point] =
                  f.map.points[point] == MapPoint::reached || f.map.points[point] == MapPoint::no_rest;
            return reached;
          },
          "Where the robot gets.")
      .def_property_readonly(
          "boundaries", [](const FoundMap& f) { return f.map.curves; }, "Lines along which something ends.")
      .def_property_readonly(
          "held", [](const FoundMap& f) { return f.map.held; }, "Coordinates that keep their value.")
      .def_property_readonly(
          "frame", [](const FoundMap& f) { return f.map.frame; }, "LINK/FRAME of the tool.")
      .def(
          "save",
          [](const FoundMap& f, const std::filesystem::path& path) {
            write_map(path.string(), f.map, *f.model, f.options);
          },
          py::arg("path"), "Writes an HDF5 file, as lithe map -o does.")
      .def(
          "csv", [](const FoundMap& f) { return map_csv(f.map); }, "The map as CSV text.");
}

void bind_map(py::class_<Model, std::shared_ptr<Model>>& model) {
  model.def("map", &map_of, py::arg("over"), py::kw_only(), py::arg("hold") = std::map<std::string, double>{},
            py::arg("what") = std::vector<std::string>{}, py::arg("frame") = "", py::arg("modes") = 3,
            py::arg("payload") = 0.0, py::arg("acceleration") = 10.0, py::arg("branch") = 1, py::arg("threads") = 0,
            py::arg("boundaries") = true,
            R"(What the robot reaches and how stiff it is, over a grid of poses.

over: two or three axes, {"pos.platform.x": (from, to, count), ...}; q.JOINT, pos.LINK.FRAME.x, rot.LINK.FRAME.z
hold: coordinates that keep a value; others stay as they are in the initial pose
what: quantities, as lithe map --what knows them: condition, compliance, sag, frequency, torque, ...
frame: LINK/FRAME of the tool; default that of the axes, else the platform
modes: natural frequencies of each kind
payload: point mass that the tool carries (kg)
acceleration: of the tool, for torque (m/s^2)
branch: assembly, as lithe check --branches numbers them
threads: default one per processor; the numbers do not depend on it
boundaries: trace the lines along which reach and motors end)");
}

}  // namespace lithe::python
