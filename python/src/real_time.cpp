// Fixed steps with bounded work.

#include "lithe/simulation/real_time.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "prepared.hpp"

namespace lithe::python {
namespace {

RealTimeMethod real_time_method_named(const std::string& name) {
  std::string known;
  for (const RealTimeMethod each : all_real_time_methods) {
    if (name_of(each) == name) return each;
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  throw py::value_error("method '" + name + "': no such choice; use one of " + known);
}

RealTime real_time(const std::shared_ptr<PreparedModel>& self, double step, const std::string& method,
                   int corrections) {
  if (!(step > 0.0) || corrections < 1) throw py::value_error("fixed steps need step > 0 and at least one correction");
  const RealTimeOptions options{step, real_time_method_named(method), corrections};
  return {self, RealTimeStepper(self->plan(), self->work(), self->state(), options)};
}

void step_on(RealTime& self, const Forces& tau, const Loads& loads) {
  PreparedModel& prepared = *self.prepared;
  const Actions actions = actions_of(prepared, tau, loads);
  const py::gil_scoped_release unlocked;
  prepared.require(self.stepper.step(prepared.work(), prepared.state(), actions));
}

}  // namespace

void bind_real_time(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared) {
  py::class_<RealTime>(m, "RealTimeStepper",
                       "Fixed steps of a Prepared with the same work in each; see Prepared.real_time().")
      .def("step", &step_on, py::arg("tau") = py::none(), py::kw_only(), py::arg("loads") = py::none(),
           R"(Moves the state of the Prepared on by one step with tau and loads held constant.

tau and loads as in Prepared.forward_dynamics(). Raises PhysicsError and leaves the state as it was.)")
      .def(
          "renew",
          [](RealTime& self) {
            PreparedModel& at = *self.prepared;
            at.require(self.stepper.renew(at.work(), at.state()));
          },
          "Stiffness and damping anew at the present pose, for springs at passive joints and between frames.")
      .def_property_readonly(
          "dt", [](const RealTime& self) { return self.stepper.options().step; }, "Length of a step (s).")
      .def_property_readonly(
          "method", [](const RealTime& self) { return std::string(name_of(self.stepper.options().method)); },
          "damped, trapezoidal or euler.")
      .def_property_readonly(
          "evaluations", [](const RealTime& self) { return self.stepper.evaluations(); },
          "Evaluations of the equations of motion so far: two a step, of euler one.");
  prepared.def("real_time", &real_time, py::arg("step"), py::kw_only(), py::arg("method") = "damped",
               py::arg("corrections") = 1,
               R"(Fixed steps of `step` seconds with bounded work, for hardware in the loop.

method: "damped" (second order, takes away vibration that is faster than the step), "trapezoidal" (second order, leaves
    linear vibration its energy) or "euler" (first order, half the work)
corrections: Newton steps on the loops whenever the mechanism is moved
Steps may be much longer than the periods of elastic links. step() of the result moves this state.)");
}

}  // namespace lithe::python
