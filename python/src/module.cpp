#include "bindings.hpp"
#include "lithe/version.hpp"

PYBIND11_MODULE(_lithe, m) {
  using namespace lithe::python;  // NOLINT: the parts of the module
  m.doc() = "The compiled part of the package lithe.";
  m.attr("__version__") = std::string(lithe::version());
  bind_errors(m);
  bind_results(m);
  bind_run_options(m);
  bind_analysis(m);
  bind_fatigue(m);
  bind_prepared(m);
  bind_model(m);
  bind_identification(m);
  bind_studies(m);
  // Users know these classes as lithe.Model and so on.
  for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
    if (PyType_Check(value.ptr()) != 0) py::setattr(value, "__module__", py::str("lithe"));
  }
  explain_call_errors(m);
}
