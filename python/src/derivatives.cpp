// Exact derivatives of the dynamics at the present state.

#include "lithe/dynamics/derivatives.hpp"

#include <pybind11/eigen.h>

#include "prepared.hpp"

namespace lithe::python {
namespace {

ForwardDerivatives forward_slopes(PreparedModel& self, const Forces& tau, const Loads& loads) {
  const Actions actions = actions_of(self, tau, loads);
  VectorX a = VectorX::Zero(self.plan().nv());
  self.require(forward_dynamics(self.plan(), self.work(), self.state(), actions, a));
  ForwardDerivatives result;
  self.require(forward_derivatives(self.plan(), self.work(), self.state(), actions, a, result,
                                   {.forces = self.plan().actuated_speeds()}));
  return result;
}

InverseDerivatives inverse_slopes(PreparedModel& self, const std::optional<VectorX>& a, const Forces& tau,
                                  const Loads& loads) {
  InverseDerivatives result;
  self.require(inverse_derivatives(self.plan(), self.work(), self.state(), actions_of(self, tau, loads),
                                   accelerations_of(self, a), result));
  return result;
}

}  // namespace

void bind_derivatives(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared) {
  py::class_<ForwardDerivatives>(m, "ForwardDerivatives",
                                 "Slopes of the accelerations of all tree speeds (rows: Prepared.speeds).")
      .def_readonly("by_position", &ForwardDerivatives::by_position,
                    "Columns: Prepared.independent. The dependent coordinates and speeds follow by the closures.")
      .def_readonly("by_speed", &ForwardDerivatives::by_speed, "Columns: Prepared.independent.")
      .def_readonly("by_force", &ForwardDerivatives::by_force, "Columns: Prepared.actuated.");
  py::class_<InverseDerivatives>(m, "InverseDerivatives",
                                 "Slopes of the forces that a motion needs along the independent speeds (rows and "
                                 "columns: Prepared.independent).")
      .def_readonly("by_position", &InverseDerivatives::by_position,
                    "At constant independent speeds and accelerations.")
      .def_readonly("by_speed", &InverseDerivatives::by_speed)
      .def_readonly("by_acceleration", &InverseDerivatives::by_acceleration, "The mass matrix.");
  prepared
      .def("forward_derivatives", &forward_slopes, py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(),
           R"(Exact derivatives of forward_dynamics(tau, loads=loads) at this state.

Raises PhysicsError in and beside singular poses, and with stiffening 'stress'.)")
      .def(
          "inverse_derivatives", &inverse_slopes, py::arg("a") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
          py::arg("loads") = py::none(),
          R"(Exact derivatives of the forces that this state with accelerations a (default zero) needs beyond tau and loads.)");
}

}  // namespace lithe::python
