// Exact derivatives of the dynamics at the present state.

#include "lithe/dynamics/derivatives.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "lithe/io/parameter_derivatives.hpp"
#include "prepared.hpp"

namespace lithe::python {
namespace {

using Names = std::vector<std::string>;

ForwardDerivatives forward_slopes(PreparedModel& self, const Forces& tau, const Loads& loads, const Names& parameters) {
  const Actions actions = actions_of(self, tau, loads);
  VectorX a = VectorX::Zero(self.plan().nv());
  self.require(forward_dynamics(self.plan(), self.work(), self.state(), actions, a));
  ForwardDerivatives result;
  self.require(forward_derivatives(self.plan(), self.work(), self.state(), actions, a, result,
                                   {.forces = self.plan().actuated_speeds()}));
  result.by_parameter = forward_slopes_by_parameters(self.model, self.prepared, actions, parameters).slopes;
  return result;
}

InverseDerivatives inverse_slopes(PreparedModel& self, const std::optional<VectorX>& a, const Forces& tau,
                                  const Loads& loads, const Names& parameters) {
  InverseDerivatives result;
  const Actions actions = actions_of(self, tau, loads);
  const VectorX motion = accelerations_of(self, a);
  self.require(inverse_derivatives(self.plan(), self.work(), self.state(), actions, motion, result));
  result.by_parameter = inverse_slopes_by_parameters(self.model, self.prepared, actions, motion, parameters).slopes;
  return result;
}

}  // namespace

void bind_derivatives(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared) {
  py::class_<ForwardDerivatives>(m, "ForwardDerivatives",
                                 "Slopes of the accelerations of all tree speeds (rows: Prepared.speeds).")
      .def_readonly("by_position", &ForwardDerivatives::by_position,
                    "Columns: Prepared.independent. The dependent coordinates and speeds follow by the closures.")
      .def_readonly("by_speed", &ForwardDerivatives::by_speed, "Columns: Prepared.independent.")
      .def_readonly("by_force", &ForwardDerivatives::by_force, "Columns: Prepared.actuated.")
      .def_readonly("by_parameter", &ForwardDerivatives::by_parameter, "Columns: the parameters asked for.");
  py::class_<InverseDerivatives>(m, "InverseDerivatives",
                                 "Slopes of the forces that a motion needs along the independent speeds (rows and "
                                 "columns: Prepared.independent).")
      .def_readonly("by_position", &InverseDerivatives::by_position,
                    "At constant independent speeds and accelerations.")
      .def_readonly("by_speed", &InverseDerivatives::by_speed, "Columns: Prepared.independent.")
      .def_readonly("by_acceleration", &InverseDerivatives::by_acceleration, "The mass matrix.")
      .def_readonly("by_parameter", &InverseDerivatives::by_parameter, "Columns: the parameters asked for.");
  prepared
      .def("forward_derivatives", &forward_slopes, py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(), py::arg("parameters") = Names(),
           R"(Exact derivatives of forward_dynamics(tau, loads=loads) at this state.

parameters: names under 'parameters' of the model file, by which to derive too; independent coordinates and speeds stay.
These come from differences of eighth order, for which the model is read again; they are good to 1e-8 or better.
Raises PhysicsError in and beside singular poses, and with stiffening 'stress'.)")
      .def(
          "inverse_derivatives", &inverse_slopes, py::arg("a") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
          py::arg("loads") = py::none(), py::arg("parameters") = Names(),
          R"(Exact derivatives of the forces that this state with accelerations a (default zero) needs beyond tau and loads.

parameters: as in forward_derivatives.)");
}

}  // namespace lithe::python
