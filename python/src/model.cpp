// Models: read from files, text or dicts; changed and run from Python.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>
#include <optional>

#include "analysis.hpp"
#include "bindings.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/report.hpp"
#include "lithe/io/urdf.hpp"
#include "model_state.hpp"
#include "prepared.hpp"

namespace lithe::python {
namespace {

using Overrides = std::optional<py::dict>;

std::map<std::string, std::string> texts_of(const Overrides& set) {
  return set ? python::texts_of(*set) : std::map<std::string, std::string>{};
}

std::shared_ptr<Model> finished(Model model, bool rigid) {
  if (rigid)
    for (LinkData& link : model.mechanism.links) link = rigid_twin(link);
  return std::make_shared<Model>(std::move(model));
}

/// Reads without the interpreter's lock, then tells what reading has found.
template <class Read>
std::shared_ptr<Model> read_and_tell(const Read& read, bool rigid) {
  std::shared_ptr<Model> model;
  {
    const py::gil_scoped_release unlocked;
    model = finished(read(), rigid);
  }
  warn_of(model->remarks);
  return model;
}

std::shared_ptr<Model> load(const std::filesystem::path& path, const Overrides& set, bool rigid) {
  const auto overrides = texts_of(set);
  return read_and_tell([&] { return load_model(path.string(), overrides, {rigid, {}, {}}); }, rigid);
}

std::shared_ptr<Model> loads(const std::string& text, const Overrides& set, bool rigid,
                             const std::filesystem::path& path) {
  const auto overrides = texts_of(set);
  return read_and_tell([&] { return load_model_text(text, path.string(), overrides, {rigid, {}, {}}); }, rigid);
}

/// JSON is YAML: a dict has the structure of a model file.
std::shared_ptr<Model> from_dict(const py::dict& content, const Overrides& set, bool rigid,
                                 const std::filesystem::path& path) {
  const py::cpp_function plain([](const py::object& value) -> py::object {
    if (py::hasattr(value, "tolist")) return value.attr("tolist")();  // numpy
    throw py::type_error("a model cannot hold " + py::repr(value).cast<std::string>());
  });
  const py::object text =
      py::module_::import("json").attr("dumps")(content, py::arg("indent") = 1, py::arg("ensure_ascii") = false,
                                                py::arg("allow_nan") = false, py::arg("default") = plain);
  return loads(text.cast<std::string>(), set, rigid, path);
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  return names;
}

std::vector<std::string> frame_names(const Model& model) {
  std::vector<std::string> names;
  for (const LinkData& link : model.mechanism.links)
    for (const Frame& frame : link.frames) names.push_back(link.name + "/" + frame.name);
  return names;
}

std::string describe_model(const Model& model) {
  return "<lithe.Model '" + model.name + "': " + std::to_string(model.mechanism.links.size() - 1) + " links, " +
         std::to_string(model.mechanism.joints.size()) + " joints>";
}

}  // namespace

void bind_model(py::module_& m) {
  py::class_<Model, std::shared_ptr<Model>> model(m, "Model", R"(A mechanism and what is to be done with it.

Made by lithe.load(), lithe.loads() or Model.from_dict().)");
  model
      .def_static("from_dict", &from_dict, py::arg("content"), py::kw_only(), py::arg("set") = py::none(),
                  py::arg("rigid") = false, py::arg("path") = "<dict>",
                  R"(A model from a dict with the keys of a model file (docs/model-file.md); numpy values are welcome.

set: values in place of those under 'parameters'
rigid: every elastic link becomes its rigid twin
path: name for messages; files that the model names are looked for beside it)")
      .def_readwrite("name", &Model::name, "For messages and titles.")
      .def_readonly("path", &Model::path, "File it came from.")
      .def_readonly("text", &Model::text, "Its text as it stands in the file.")
      .def_readonly("files", &Model::files, "Every file that was read for it: includes, tables, link files.")
      .def_readonly("flattened", &Model::flattened,
                    "The text with included files, parameters and replaced values put in, as results store it.")
      .def_readonly("remarks", &Model::remarks, "Notes and warnings of reading it.")
      .def_readwrite("run", &Model::run, "How it is run.")
      .def_readwrite("start_at_equilibrium", &Model::start_at_equilibrium,
                     "Simulations start at static equilibrium near the initial values, motors held.")
      .def_property(
          "damping_ratio", [](const Model& self) { return self.damping.ratio; },
          [](Model& self, double ratio) {
            self.damping = {ratio, {}};
          },
          "Of every natural mode of the assembled mechanism at its initial pose, motors locked; beside that of links.")
      .def_property(
          "gravity", [](Model& self) -> Vec3& { return self.mechanism.gravity; },
          [](Model& self, const Vec3& gravity) { self.mechanism.gravity = gravity; }, "m/s^2, ground axes.")
      .def_property_readonly(
          "links", [](const Model& self) { return names_of(self.mechanism.links); },
          "Names of the links; the first one is the ground.")
      .def_property_readonly(
          "joints", [](const Model& self) { return names_of(self.mechanism.joints); }, "Names of the joints.")
      .def_property_readonly(
          "loads",
          [](const Model& self) {
            std::vector<std::string> names = names_of(self.mechanism.loads);
            for (const std::string& along : names_of(self.mechanism.line_loads)) names.push_back(along);
            return names;
          },
          "Names of the loads: those at frames, then those along links.")
      .def_property_readonly("frames", &frame_names, "Frames of all links: 'LINK/FRAME'.")
      .def_property_readonly("actuated", &actuated_names,
                             "Coordinates with a motor: 'JOINT', or 'JOINT.k' of a joint with several.")
      .def(
          "copy", [](const Model& self) { return std::make_shared<Model>(self); }, "An independent copy.")
      .def(
          "rigid_twin", [](const Model& self) { return finished(self, true); },
          "The same with every elastic link replaced by its rigid twin.")
      .def(
          "prepare", [](const Model& self) { return std::make_shared<PreparedModel>(self); },
          py::call_guard<py::gil_scoped_release>(),
          "Compiles, assembles at the initial values and returns a Prepared. Raises PhysicsError when it does not "
          "assemble.")
      .def(
          "_report", [](const Model& self) { return make_report(self).json; }, py::call_guard<py::gil_scoped_release>(),
          "The data of the report page, JSON.")
      .def("__repr__", &describe_model);
  bind_model_state(model);
  bind_drives(model);
  bind_record(model);
  bind_runs(model);
  bind_pose_analyses(model);

  m.def("load", &load, py::arg("path"), py::kw_only(), py::arg("set") = py::none(), py::arg("rigid") = false,
        R"(Reads a model file.

set: values in place of those under 'parameters': {"g": 0, "length": "2*0.3"}
rigid: every elastic link becomes its rigid twin

Raises ModelError with all complaints at once, each with file, line, column and key.)");
  m.def("loads", &loads, py::arg("text"), py::kw_only(), py::arg("set") = py::none(), py::arg("rigid") = false,
        py::arg("path") = "<text>", R"(Reads a model from text (YAML, as in a file).

path: name for messages; files that the text names are looked for beside it)");
  py::class_<UrdfConversion>(m, "Conversion", "A model file made from URDF or MJCF.")
      .def_readonly("text", &UrdfConversion::text, "The model file; comments say where things came from.")
      .def_readonly("notes", &UrdfConversion::notes, "What could not be carried over or was assumed.")
      .def_readonly("links", &UrdfConversion::links, "Links of the model, without the ground.")
      .def_readonly("joints", &UrdfConversion::joints, "Joints of the model.");
  m.def(
      "convert",
      [](const std::filesystem::path& path, const std::filesystem::path& side, bool ignore_couplings, bool stops) {
        UrdfOptions options;
        options.ignore_couplings = ignore_couplings;
        options.stops = stops;
        return convert_urdf(path.string(), side.string(), {}, options);
      },
      py::arg("path"), py::kw_only(), py::arg("side") = "", py::arg("ignore_couplings") = false,
      py::arg("stops") = false,
      R"(Makes a model file from URDF or MJCF, as lithe convert does; lithe.loads(lithe.convert(path).text) is the model.

side: side file with loops, elastic links and what else the robot's file cannot say
ignore_couplings: couplings and force elements that a model file cannot say are left out with a note
stops: limits of joints become hard stops)");
  m.def("schema", &model_schema, "JSON Schema of model files, as text.");
}

}  // namespace lithe::python
