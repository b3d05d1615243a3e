// How a run is done: numbers, and choices by the names that model files use.

#include "bindings.hpp"

namespace lithe::python {
namespace {

template <class Choices>
auto chosen(const char* what, const std::string& name, const Choices& choices) {
  std::string known;
  for (const auto choice : choices) {
    if (name_of(choice) == name) return choice;
    known += (known.empty() ? "" : ", ") + std::string(name_of(choice));
  }
  throw py::value_error(std::string(what) + " '" + name + "': no such choice; use one of " + known);
}

std::string describe_run(const RunOptions& run) {
  return "<lithe.RunOptions " + std::to_string(run.from) + " s to " + std::to_string(run.until) + " s, integrator '" +
         std::string(name_of(run.integrator)) + "'>";
}

}  // namespace

void bind_run_options(py::module_& m) {
  py::class_<RunOptions>(m, "RunOptions", "How a run is done; the entries of 'run:' in a model file.")
      .def_readwrite("from_", &RunOptions::from, "Start (s).")
      .def_readwrite("until", &RunOptions::until, "End (s).")
      .def_readwrite("every", &RunOptions::every, "Recording interval (s).")
      .def_readwrite("rtol", &RunOptions::rtol, "Relative tolerance of adaptive integrators.")
      .def_readwrite("atol", &RunOptions::atol, "Absolute tolerance of adaptive integrators.")
      .def_readwrite("step", &RunOptions::step, "Step of fixed-step integrators (s).")
      .def_readwrite("max_step", &RunOptions::max_step, "Longest step of adaptive integrators (s); 0: no limit.")
      .def_readwrite("condition_limit", &RunOptions::condition_limit,
                     "Condition number of the closures beyond which a run stops as singular.")
      .def_readwrite("spectral_radius", &RunOptions::spectral_radius, "Spectral radius of generalized-alpha.")
      .def_property(
          "integrator", [](const RunOptions& run) { return std::string(name_of(run.integrator)); },
          [](RunOptions& run, const std::string& name) {
            run.integrator = chosen("integrator", name, all_integrators);
          },
          "bdf, adams, dopri, rk4, dopri5-fixed, ode45, generalized-alpha or ida.")
      .def_property(
          "formulation", [](const RunOptions& run) { return std::string(name_of(run.formulation)); },
          [](RunOptions& run, const std::string& name) {
            run.formulation = chosen("formulation", name, all_formulations);
          },
          "noc, denoc, multipliers, penalty, partitioning or noc-dense.")
      .def_property(
          "projection", [](const RunOptions& run) { return std::string(name_of(run.projection)); },
          [](RunOptions& run, const std::string& name) {
            run.projection = chosen("projection", name, all_projections);
          },
          "When coordinates are put back onto the closures: evaluation, step or never.")
      .def("__repr__", &describe_run);
}

}  // namespace lithe::python
