// Results of runs as numpy arrays: views of the memory that the run filled.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "bindings.hpp"
#include "lithe/io/quantity.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/report.hpp"
#include "lithe/simulation/audit_fields.hpp"
#include "pickling.hpp"

namespace lithe::python {
namespace {

/// Read-only view of one column (index >= 0) or of the whole table; the array keeps the result alive.
py::array view_of(const py::object& self, int column) {
  const auto& results = self.cast<const Results&>();
  const auto rows = static_cast<py::ssize_t>(results.rows());
  const auto columns = static_cast<py::ssize_t>(results.columns.size());
  const auto row_stride = columns * static_cast<py::ssize_t>(sizeof(double));
  py::array view = column < 0
                       ? py::array(py::dtype::of<double>(), {rows, columns},
                                   {row_stride, static_cast<py::ssize_t>(sizeof(double))}, results.data.data(), self)
                       : py::array(py::dtype::of<double>(), {rows}, {row_stride}, results.data.data() + column, self);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::array column_named(const py::object& self, const std::string& name) {
  const auto& results = self.cast<const Results&>();
  const int index = results.find(name);
  if (index >= 0) return view_of(self, index);
  const py::list near = py::module_::import("difflib").attr("get_close_matches")(name, results.columns, 1);
  std::string message = "there is no column '" + name + "'";
  message += near.empty() ? "; Result.columns lists them" : "; did you mean '" + near[0].cast<std::string>() + "'?";
  throw py::key_error(message);
}

/// Group and unit of every column.
std::map<std::string, std::pair<std::string, std::string>> quantities_of(const Results& results) {
  std::optional<Model> model;
  if (!results.mechanism.empty()) model = drawn_model_of(results);
  std::map<std::string, std::pair<std::string, std::string>> quantities;
  for (const std::string& column : results.columns) {
    const Quantity quantity = quantity_of(column, model ? &model->mechanism : nullptr);
    quantities[column] =
        column == "t" ? std::pair<std::string, std::string>{"time", "s"} : std::pair{quantity.group, quantity.unit};
  }
  return quantities;
}

std::string describe_results(const Results& results) {
  return "<lithe.Result of '" + results.model_name + "': " + std::to_string(results.rows()) + " rows, " +
         std::to_string(results.columns.size()) + " columns, " + results.outcome.substr(0, results.outcome.find('\n')) +
         ">";
}

using NamedNumbers = std::map<std::string, double>;

std::map<std::string, NamedNumbers> motors_of(const Audit& audit) {
  std::map<std::string, NamedNumbers> motors;
  for (const auto& [motor, duty] : audit.motors)
    for (const auto& [name, field, meaning] : motor_duty_fields) motors[motor][name] = duty.*field;
  return motors;
}

std::vector<std::pair<double, std::string>> events_of(const Audit& audit) {
  std::vector<std::pair<double, std::string>> events;
  for (const RunEvent& event : audit.events) events.emplace_back(event.t, event.what);
  return events;
}

/// For pickles.
py::dict audit_state(const Audit& audit) {
  py::dict state;
  for (const auto& [name, field, meaning] : audit_counts) state[name] = audit.*field;
  for (const auto& [name, field, meaning] : audit_numbers) state[name] = audit.*field;
  state["remarks"] = static_cast<const Remarks&>(audit);
  state["integrator"] = audit.integrator;
  state["events"] = events_of(audit);
  state["motors"] = motors_of(audit);
  state["bending"] = audit.bending;
  state["stress"] = audit.stress;
  state["time_split"] = audit.time_split;
  return state;
}

Audit audit_of(const py::dict& state) {
  Audit audit;
  static_cast<Remarks&>(audit) = state["remarks"].cast<Remarks>();
  for (const auto& [name, field, meaning] : audit_counts) audit.*field = state[name].cast<long>();
  for (const auto& [name, field, meaning] : audit_numbers) audit.*field = state[name].cast<double>();
  audit.integrator = state["integrator"].cast<std::string>();
  for (const auto& [t, what] : state["events"].cast<std::vector<std::pair<double, std::string>>>())
    audit.events.push_back({t, what});
  for (const auto& [motor, numbers] : state["motors"].cast<std::map<std::string, NamedNumbers>>())
    for (const auto& [name, field, meaning] : motor_duty_fields) audit.motors[motor].*field = numbers.at(name);
  audit.bending = state["bending"].cast<NamedNumbers>();
  audit.stress = state["stress"].cast<std::map<std::string, LinkStress>>();
  audit.time_split = state["time_split"].cast<NamedNumbers>();
  return audit;
}

py::tuple results_state(const Results& results) {
  py::dict attached;  // link files are bytes
  for (const auto& [path, content] : results.attached) attached[py::str(path)] = py::bytes(content);
  const py::array_t<double> data(static_cast<py::ssize_t>(results.data.size()), results.data.data());
  return py::make_tuple(results.path, results.version, results.model_name, results.model_path, results.model_text,
                        results.flattened, attached, results.mechanism, results.parameters, results.replaced,
                        results.options, results.columns, data, results.finished, results.outcome, results.audit);
}

std::shared_ptr<Results> results_of(const py::tuple& state) {
  if (state.size() != 16) refuse_pickle("result");
  auto results = std::make_shared<Results>();
  std::size_t k = 0;
  const auto take = [&](auto& member) { member = state[k++].cast<std::decay_t<decltype(member)>>(); };
  take(results->path), take(results->version), take(results->model_name), take(results->model_path);
  take(results->model_text), take(results->flattened);
  for (const auto& [path, content] : state[k++].cast<py::dict>())
    results->attached[path.cast<std::string>()] = content.cast<py::bytes>();
  take(results->mechanism), take(results->parameters), take(results->replaced), take(results->options);
  take(results->columns);
  const auto data = state[k++].cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  results->data.assign(data.data(), data.data() + data.size());
  take(results->finished), take(results->outcome), take(results->audit);
  return results;
}

void bind_audit(py::module_& m) {
  py::class_<Remarks>(m, "Remarks", "What a model, a run or an analysis has to say besides its numbers.")
      .def_readonly("notes", &Remarks::notes, "Choices that were made without being asked for, with the reason.")
      .def_readonly("warnings", &Remarks::warnings, "What may speak against the result.")
      .def_readonly("distrust", &Remarks::distrust, "Why the result is not to be trusted; empty when it is.")
      .def_property_readonly("trusted", &Remarks::trusted, "False when there is a reason for distrust.")
      .def(pickled_members<Remarks>("remarks", &Remarks::notes, &Remarks::warnings, &Remarks::distrust));
  py::class_<LinkStress>(m, "LinkStress", "What the stress in an elastic link came to, over the recorded rows.")
      .def_readonly("peak", &LinkStress::peak, "Von Mises stress, the largest along the link (Pa).")
      .def_readonly("place", &LinkStress::place, "Where the peak is: a distance along the beam, or a bar.")
      .def_readonly("time", &LinkStress::time, "When it is (s).")
      .def_readonly("safety", &LinkStress::safety,
                    "Least ratio of yield stress to stress; None without a yield stress.")
      .def_readonly("damage", &LinkStress::damage,
                    "Miner's sum of the run in the worst fibre; None without an S-N line.")
      .def_readonly("damaged", &LinkStress::damaged, "Place of that fibre; empty while there is no damage.")
      .def_readonly("life", &LinkStress::life, "Seconds of this motion, over and over, until the sum is 1.")
      .def("__repr__",
           [](const LinkStress& s) {
             return "<lithe.LinkStress: peak " + std::to_string(s.peak / 1e6) + " MPa at " + s.place + ">";
           })
      .def(pickled_members<LinkStress>("stress", &LinkStress::peak, &LinkStress::place, &LinkStress::time,
                                       &LinkStress::safety, &LinkStress::damage, &LinkStress::damaged,
                                       &LinkStress::life));
  py::class_<Audit, Remarks> audit(m, "Audit", "What a run tells about its own accuracy and effort.");
  for (const auto& [name, field, meaning] : audit_counts) audit.def_readonly(name, field, meaning);
  for (const auto& [name, field, meaning] : audit_numbers) audit.def_readonly(name, field, meaning);
  audit
      .def_readonly("integrator", &Audit::integrator,
                    "What stepped through time, its tolerances and, when 'auto' chose it, why.")
      .def_property_readonly(
          "motors", &motors_of,
          "Per actuated joint what its motor had to do, from the recorded rows: peak_torque, rms_torque (N m), "
          "peak_speed (rad/s), peak_power, mean_power (W), energy, loss (J); motor side of a gear.")
      .def_readonly(
          "bending", &Audit::bending,
          "Per elastic link: its largest deflection, part of its length, or slope (rad), whichever is larger.")
      .def_property_readonly(
          "events", &events_of,
          "What happened at an instant, as pairs of time (s) and words: joints meet stops, ropes become taut.")
      .def_readonly("stress", &Audit::stress,
                    "Per elastic link with known sections: peak, safety, damage; where stress is recorded.")
      .def_readonly("time_split", &Audit::time_split, "Seconds spent on dynamics, drives, integrator, recording.")
      .def("__repr__",
           [](const Audit& a) {
             return "<lithe.Audit: t_end " + std::to_string(a.t_end) + " s, " + std::to_string(a.steps) + " steps, " +
                    std::to_string(a.evaluations) + " evaluations>";
           })
      .def(py::pickle(&audit_state, &audit_of));
}

}  // namespace

void bind_results(py::module_& m) {
  bind_audit(m);
  py::class_<Results, std::shared_ptr<Results>>(m, "Result", R"(What a run recorded, or what an HDF5 file holds.

result["q.motor-1"], result.t and result.data are numpy arrays without a copy: read-only views that keep the memory
alive. Columns (docs/results.md): t, q.JOINT, v.JOINT, a.JOINT, tau.JOINT, pos.LINK.FRAME.x|y|z, rot.LINK.FRAME.x|y|z,
energy.kinetic|potential|work|dissipated, closure; SI units.)")
      .def("__getitem__", &column_named, py::arg("column"), "Column by name, shape (rows,).")
      .def(
          "__contains__", [](const Results& results, const std::string& column) { return results.find(column) >= 0; },
          py::arg("column"), "Whether there is such a column.")
      .def("__len__", &Results::rows, "Number of rows.")
      .def(
          "__iter__", [](const Results& results) { return py::iter(py::cast(results.columns)); },
          "Over the names of the columns.")
      .def(
          "keys", [](const Results& results) { return results.columns; }, "Names of the columns.")
      .def_readonly("columns", &Results::columns, "Names of the columns.")
      .def_property_readonly(
          "t", [](const py::object& self) { return column_named(self, "t"); }, "Time (s).")
      .def_property_readonly(
          "data", [](const py::object& self) { return view_of(self, -1); }, "The whole table, shape (rows, columns).")
      .def(
          "to_dict",
          [](const py::object& self) {
            py::dict columns;
            const auto& results = self.cast<const Results&>();
            for (std::size_t i = 0; i < results.columns.size(); ++i)
              columns[py::str(results.columns[i])] = view_of(self, static_cast<int>(i));
            return columns;
          },
          "Columns by name, e.g. for pandas.DataFrame(result.to_dict()).")
      .def_readonly("audit", &Results::audit, "Accuracy and effort of the run.")
      .def_readonly("outcome", &Results::outcome, "'complete', or why not.")
      .def_property_readonly(
          "complete", [](const Results& results) { return results.outcome == "complete"; },
          "Whether the run reached its end.")
      .def_property_readonly(
          "trusted", [](const Results& results) { return results.audit.trusted(); },
          "False when the run found a reason not to trust its own result: audit.distrust.")
      .def_readonly("path", &Results::path, "HDF5 file it was read from; empty for a run.")
      .def_readonly("version", &Results::version, "Version of Lithe that made it.")
      .def_readonly("model_name", &Results::model_name, "Name of the model.")
      .def_readonly("model_path", &Results::model_path, "File that the model came from.")
      .def_readonly("model_text", &Results::model_text, "Its text as it stood in that file.")
      .def_readonly("flattened", &Results::flattened,
                    "The model text with included files, parameters and replaced values put in.")
      .def_readonly("parameters", &Results::parameters, "Parameters of the model, after overrides.")
      .def_readonly("replaced", &Results::replaced, "Values of the model text that were replaced by their path.")
      .def(
          "model", [](const Results& results) { return std::make_shared<Model>(model_of(results)); },
          "The model that it was recorded from, read again from what the result carries: its files may be gone. Drives "
          "in "
          "Python are not part of it.")
      .def_property_readonly(
          "units",
          [](const Results& results) {
            std::map<std::string, std::string> units;
            for (const auto& [column, quantity] : quantities_of(results)) units[column] = quantity.second;
            return units;
          },
          "Unit of every column, by name; empty where it is not known.")
      .def("_quantities", &quantities_of, "Kind of quantity and unit of every column, by name.")
      .def(
          "_report", [](const Results& results) { return make_report({results}).json; },
          py::call_guard<py::gil_scoped_release>(), "The data of the report page, JSON.")
      .def("__repr__", &describe_results)
      .def(py::pickle(&results_state, &results_of));
  m.def(
      "read",
      [](const std::filesystem::path& path) {
        const py::gil_scoped_release unlocked;
        return std::make_shared<Results>(read_results(path.string()));
      },
      py::arg("path"), "Reads an HDF5 result of the program or of Model.simulate(output=...). Raises ResultsError.");
}

}  // namespace lithe::python
