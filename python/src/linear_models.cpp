// Linear models in state-space form.

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>
#include <optional>

#include "analysis.hpp"
#include "lithe/io/linear_model_file.hpp"

namespace lithe::python {
namespace {

struct FoundLinearModel {
  LinearModel linear;
  NamedLinearization second_order;
  std::map<std::string, double> pose, given, tau;
  std::vector<std::string> warnings;
  std::string model;
  bool moving = false;
};

FoundLinearModel linearize_model(const Model& model, std::optional<double> at, bool rest, bool free, bool locked,
                                 const std::vector<std::string>& outputs) {
  OperatingPoint point(model, {at, rest, motors_asked_for(free, locked, Motors::loaded)});
  FoundLinearModel found;
  found.linear = linear_model(point, outputs);
  add_units(found.linear, point.plan().mechanism());
  found.second_order.linear = point.linear();
  for (const int v : point.linear().actuators) found.second_order.inputs.push_back(point.plan().speed_name(v));
  for (const auto& [name, value] : point.pose()) found.pose[name] = value;
  for (const auto& [name, value] : point.given_pose()) found.given[name] = value;
  for (const auto& [name, value] : point.motor_forces()) found.tau[name] = value;
  found.warnings = point.remarks().warnings;
  found.model = model.name;
  found.moving = point.is_moving();
  return found;
}

using Signals = std::vector<LinearModel::Signal>;

template <class Value, class Result = std::vector<Value>>
Result parts(const Signals& signals, Value LinearModel::Signal::*part) {
  Result list(signals.size());
  for (std::size_t i = 0; i < signals.size(); ++i) list[i] = signals[i].*part;
  return list;
}

VectorX values(const Signals& signals) { return parts<double, VectorX>(signals, &LinearModel::Signal::value); }

}  // namespace

void bind_linear_models(py::module_& m) {
  using Found = FoundLinearModel;
  using Signal = LinearModel::Signal;
  py::class_<Found> found(m, "LinearModel", R"(d/dt dx = A dx + B du, dy = C dx + D du about an operating point.

x: independent coordinates and their speeds; u: motor forces and components of loads; y: recorded quantities. SI units.)");
  for (const auto& [name, matrix, what] :
       {std::tuple{"A", &LinearModel::A, "Rates of the states per state."},
        std::tuple{"B", &LinearModel::B, "Rates of the states per input."},
        std::tuple{"C", &LinearModel::C, "Outputs per state."}, std::tuple{"D", &LinearModel::D, "Outputs per input."}})
    found.def_property_readonly(
        name, [matrix = matrix](const Found& f) -> const MatrixX& { return f.linear.*matrix; }, what);
  for (const auto& [name, units, start, signals, what] :
       {std::tuple{"states", "state_units", "x0", &LinearModel::states, "Names of x: q.JOINT, q.LINK.e1, v.JOINT..."},
        std::tuple{"inputs", "input_units", "u0", &LinearModel::inputs, "Names of u: tau.JOINT, load.NAME.force.x..."},
        std::tuple{"outputs", "output_units", "y0", &LinearModel::outputs, "Names of y, as in results."}}) {
    found
        .def_property_readonly(
            name, [signals = signals](const Found& f) { return parts(f.linear.*signals, &Signal::name); }, what)
        .def_property_readonly(
            units, [signals = signals](const Found& f) { return parts(f.linear.*signals, &Signal::unit); },
            "Their units; empty where not known.")
        .def_property_readonly(
            start, [signals = signals](const Found& f) { return values(f.linear.*signals); },
            "Their values at the operating point.");
  }
  found
      .def_property_readonly(
          "dx0", [](const Found& f) -> const VectorX& { return f.linear.rates; },
          "d/dt x at the operating point; zero at rest.")
      .def_property_readonly(
          "poles",
          [](const Found& f) {
            const auto& list = f.linear.poles;
            return Eigen::VectorXcd(
                Eigen::Map<const Eigen::VectorXcd>(list.data(), std::ssize(list)));
          },
          "Eigenvalues of A (1/s), by size of the imaginary part.")
      .def_property_readonly(
          "t", [](const Found& f) { return f.linear.t; }, "Time of the operating point (s).")
      .def_readonly("moving", &Found::moving, "Along the motion; otherwise at rest.")
      .def_readonly("pose", &Found::pose, "Coordinates at the operating point by name (rad, m).")
      .def_readonly("given", &Found::given, "The same before elastic links and passive joints settled.")
      .def_readonly("tau", &Found::tau, "What the motors apply there, by name (N m or N).")
      .def_readonly("warnings", &Found::warnings, "What the reader should know about the operating point.")
      .def_readonly("second_order", &Found::second_order, "The same motions as M x'' + D x' + K x = B u.")
      .def(
          "save_mat",
          [](const Found& f, const std::filesystem::path& path) { save_mat(f.linear, f.model, path.string()); },
          py::arg("path"), "Writes a MAT-file (level 5) for Octave, MATLAB and SciPy.");
}

void bind_linearize(py::class_<Model, std::shared_ptr<Model>>& model) {
  model.def("linearize", &linearize_model, py::kw_only(), py::arg("at") = py::none(), py::arg("rest") = false,
            py::arg("free") = false, py::arg("locked") = false, py::arg("outputs") = std::vector<std::string>{},
            py::call_guard<py::gil_scoped_release>(),
            R"(Linear model about the initial pose, or along the motion, with what the motors apply there.

at: time (s) of the motion laws; default the initial pose, at rest
rest: with `at`, stand still in that pose instead of passing through it
free: motors without any force, about the equilibrium that is found from the given pose
locked: motors locked instead of loaded with what holds the pose
outputs: names of recorded quantities, * stands for anything; default all)");
}

}  // namespace lithe::python
