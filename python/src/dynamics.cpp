// Dynamics of single states: mass matrix, accelerations, motor forces, reactions, energy.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "analysis.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/loads.hpp"
#include "pickling.hpp"
#include "prepared.hpp"

namespace lithe::python {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using OptionalVector = std::optional<VectorX>;

/// Motor forces as Python wants them, in the order of Prepared.actuated.
struct MotorForces {
  VectorX tau;
  double residual = 0.0, elastic_residual = 0.0;
  int redundancy = 0;
};

Formulation formulation_named(const std::string& name) {
  std::string known;
  for (const Formulation each : all_formulations) {
    if (name_of(each) == name) return each;
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  throw py::value_error("formulation '" + name + "': no such choice; use one of " + known);
}

void place_forces(PreparedModel& self, const py::object& tau, VectorX& forces) {
  if (py::isinstance<py::dict>(tau)) {
    for (const auto& [name, force] : tau.cast<py::dict>())
      forces[speed_named(self.plan(), name.cast<std::string>())] = force.cast<double>();
    return;
  }
  const auto values = tau.cast<VectorX>();
  const std::vector<int>& actuated = self.plan().actuated_speeds();
  if (values.size() != std::ssize(actuated)) {
    throw py::value_error("tau has " + std::to_string(actuated.size()) +
                          " entries, one per name in Prepared.actuated, not " + std::to_string(values.size()));
  }
  for (std::size_t i = 0; i < actuated.size(); ++i) forces[actuated[i]] = values[i];
}

void place_load(const py::dict& given, Wrench& load) {
  load = {};
  for (const auto& [part, vector] : given) {
    const auto what = part.cast<std::string>();
    if (what != "force" && what != "moment")
      throw py::value_error("a load has 'force' and 'moment', not '" + what + "'");
    (what == "force" ? load.force : load.moment) = vector.cast<Vec3>();
  }
}

void place_load(const py::dict& given, LineForce& load) {
  load = {};
  for (const auto& [part, vector] : given) {
    const auto what = part.cast<std::string>();
    if (what != "force" && what != "end")
      throw py::value_error("a load along a link has 'force' and 'end', not '" + what + "'");
    (what == "force" ? load.start : load.end) = vector.cast<Vec3>();
  }
  if (!given.contains("end")) load.end = load.start;
}

void place_loads(const PreparedModel& self, const py::dict& given, Actions& actions) {
  const Mechanism& mechanism = self.plan().mechanism();
  std::vector<std::string> known;
  for (const LoadPort& port : mechanism.loads) known.push_back(port.name);
  for (const LineLoad& load : mechanism.line_loads) known.push_back(load.name);
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) refuse_name("load", name, known);
    const auto index = static_cast<std::size_t>(found - known.begin());
    if (index < actions.loads.size())
      place_load(value.cast<py::dict>(), actions.loads[index]);
    else
      place_load(value.cast<py::dict>(), actions.line_loads[index - actions.loads.size()]);
  }
}

VectorX forward(PreparedModel& self, const Forces& tau, const Loads& loads, const std::string& formulation) {
  const Actions actions = actions_of(self, tau, loads);
  const Formulation chosen = formulation_named(formulation);
  if (const std::string why = why_not_applicable(self.plan(), chosen); !why.empty())
    throw py::value_error("formulation '" + formulation + "' cannot be used: " + why);
  VectorX a = VectorX::Zero(self.plan().nv());
  self.require(
      forward_dynamics(self.plan(), self.work(), self.state(), actions, a, {chosen, {}, self.model.run.stabilisation}));
  return a;
}

MotorForces inverse(PreparedModel& self, const OptionalVector& a, const Loads& loads) {
  InverseResult result;
  inverse_dynamics(self.plan(), self.work(), self.state(), accelerations_of(self, a), actions_of(self, {}, loads),
                   self.plan().actuated_speeds(), result);
  self.require(result.status);
  const std::vector<int>& actuated = self.plan().actuated_speeds();
  MotorForces forces{VectorX(actuated.size()), result.residual, result.elastic_missing.norm(), result.redundancy};
  for (std::size_t i = 0; i < actuated.size(); ++i) forces.tau[i] = result.tau[actuated[i]];
  return forces;
}

py::dict reactions(PreparedModel& self, const VectorX& a, const Forces& tau, const Loads& loads) {
  const std::vector<Wrench> wrenches =
      joint_reactions(self.plan(), self.work(), self.state(), accelerations_of(self, a), actions_of(self, tau, loads));
  py::dict named;
  for (std::size_t j = 0; j < wrenches.size(); ++j) {
    Vector6 both;
    both << wrenches[j].moment, wrenches[j].force;
    named[py::str(self.plan().mechanism().joints[j].name)] = both;
  }
  return named;
}

py::dict forces_of_couplings(PreparedModel& self, const VectorX& a, const Forces& tau, const Loads& loads) {
  const VectorX forces =
      coupling_forces(self.plan(), self.work(), self.state(), accelerations_of(self, a), actions_of(self, tau, loads));
  py::dict named;
  for (Eigen::Index i = 0; i < forces.size(); ++i)
    named[py::str(self.plan().mechanism().couplings[i].name)] = forces[i];
  return named;
}

void step(PreparedModel& self, double dt, const Forces& tau, const Loads& loads, int substeps) {
  if (!(dt > 0.0) || substeps < 1) throw py::value_error("a step needs dt > 0 and at least one substep");
  const Actions actions = actions_of(self, tau, loads);
  const py::gil_scoped_release unlocked;
  self.require(self.stepper.advance(self.work(), self.state(), actions, dt, substeps));
}

NamedLinearization linearized(PreparedModel& self, const OptionalVector& a, const Forces& tau, const Loads& loads,
                              const std::vector<std::string>& locked) {
  std::vector<int> held;
  for (const std::string& name : locked) held.push_back(speed_named(self.plan(), name));
  self.require(select_independent(self.plan(), self.work(), self.state().q, held, !held.empty()));
  const Actions actions = actions_of(self, tau, loads);
  const VectorX accelerations = accelerations_of(self, a);
  const py::gil_scoped_release unlocked;
  NamedLinearization answer{linearize(self.plan(), self.work(), self.state(), accelerations, actions, held), {}};
  for (const int v : answer.linear.actuators) answer.inputs.push_back(self.speed_name(v));
  return answer;
}

}  // namespace

Actions actions_of(PreparedModel& self, const Forces& tau, const Loads& loads) {
  Actions actions(self.plan());
  if (tau && !tau->is_none()) place_forces(self, *tau, actions.tau);
  evaluate_loads(self.model, self.state().t, actions);
  if (loads) place_loads(self, *loads, actions);
  return actions;
}

VectorX accelerations_of(const PreparedModel& self, const std::optional<VectorX>& a) {
  if (!a) return VectorX::Zero(self.plan().nv());
  if (a->size() == self.plan().nv()) return *a;
  throw py::value_error("a has " + std::to_string(self.plan().nv()) +
                        " entries, one per name in Prepared.speeds; Prepared.accelerations() completes a few");
}

void bind_dynamics(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared) {
  using Self = PreparedModel;
  py::class_<MotorForces>(m, "InverseDynamics", "Motor forces for a motion.")
      .def_readonly("tau", &MotorForces::tau, "N m or N, in the order of Prepared.actuated.")
      .def_readonly("residual", &MotorForces::residual, "Generalised force that the motors cannot supply.")
      .def_readonly("elastic_residual", &MotorForces::elastic_residual,
                    "Generalised force that the motion lacks on the elastic coordinates.")
      .def_readonly("redundancy", &MotorForces::redundancy, "Motors beyond need; > 0: tau is the smallest choice.")
      .def(pickled_members<MotorForces>("motor forces", &MotorForces::tau, &MotorForces::residual,
                                        &MotorForces::elastic_residual, &MotorForces::redundancy));
  py::class_<Energy>(m, "Energy", "Energy of a state (J).")
      .def_readonly("kinetic", &Energy::kinetic, "Of all links and rotors.")
      .def_readonly("potential", &Energy::potential, "Gravity (zero at the ground origin), springs, elastic strain.")
      .def_readonly("strain", &Energy::strain, "Of the elastic links, part of `potential`.")
      .def(pickled_members<Energy>("energy", &Energy::kinetic, &Energy::potential, &Energy::strain));
  prepared
      .def("forward_dynamics", &forward, py::arg("tau") = py::none(), py::kw_only(), py::arg("loads") = py::none(),
           py::arg("formulation") = "noc",
           R"(Accelerations of all tree speeds (rad/s^2, m/s^2), length nv.

tau: motor forces (N m, N) in the order of Prepared.actuated, or {"motor-1": 2.0, ...} with any joint; default none
loads: {"tool": {"force": (0, -10, 0), "moment": (0, 0, 0)}} in place of the model's loads (N, N m);
    of a load along a link {"wind": {"force": (0, -3, 0), "end": (0, -5, 0)}} (N/m; without end the same all along)
The state must satisfy the closures: assemble() or project() and complete_speeds() first.)")
      .def("step", &step, py::arg("dt"), py::arg("tau") = py::none(), py::kw_only(), py::arg("loads") = py::none(),
           py::arg("substeps") = 1,
           R"(Moves the state on by dt (s) with tau and loads held constant, as under a sampled controller.

Runge-Kutta of fourth order in `substeps` equal parts; elastic links need parts shorter than 2.8 / (2 pi f), where f is
their highest frequency (Hz). tau and loads as in forward_dynamics(); loads of the model are those at the beginning.
Model.simulate() is more exact, and records. Raises PhysicsError.)")
      .def("inverse_dynamics", &inverse, py::arg("a") = py::none(), py::kw_only(), py::arg("loads") = py::none(),
           R"(Motor forces for this state and the accelerations a of all tree speeds (default zero).

a, v and q must satisfy the closures: accelerations() completes a. loads as in forward_dynamics().)")
      .def(
          "mass_matrix",
          [](Self& self) {
            MatrixX G;
            self.require(generalised_inertia(self.plan(), self.work(), self.state().q, G));
            return G;
          },
          "Generalised inertia N^T M N in the independent speeds, in the order of Prepared.independent.")
      .def(
          "tree_mass_matrix",
          [](Self& self) {
            MatrixX M;
            tree_inertia(self.plan(), self.work(), self.state().q, M);
            return M;
          },
          "Inertia matrix of the open tree, nv x nv.")
      .def("reactions", &reactions, py::arg("a"), py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(),
           "Joint reactions by name: moment (N m), then force (N), that `from` exerts on `to` at the to-frame origin; "
           "ground axes, motor included.")
      .def("coupling_forces", &forces_of_couplings, py::arg("a"), py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(),
           "Forces of the couplings by name (N m or N); times the factor of a joint, what acts along its coordinate.")
      .def(
          "energy", [](Self& self) { return energy(self.plan(), self.work(), self.state()); }, "Energy of this state.")
      .def("linearize", &linearized, py::arg("a") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(), py::arg("locked") = std::vector<std::string>{},
           R"(Small motions about this state, in the independent coordinates: M x'' + D x' + K x = B u.

a, tau, loads: as they are at this state; locked: coordinates that are held)");
}

}  // namespace lithe::python
