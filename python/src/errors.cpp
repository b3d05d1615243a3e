// Exceptions of the library as Python exceptions; the classes themselves stand in lithe/_errors.py.

#include "lithe/errors.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/read_results.hpp"
#include "pickling.hpp"

namespace lithe::python {
namespace {

void raise(const char* name, const py::object& instance) { PyErr_SetObject(error_class(name).ptr(), instance.ptr()); }

/// The element is named when the message does not do so itself.
std::string text_of(const MechanismError& error) {
  const std::string message = error.what();
  return message.find(error.element()) != std::string::npos ? message : error.element() + ": " + message;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    raise("ModelError", error_class("ModelError")(error.what(), error.diagnostics()));
  } catch (const MechanismError& error) {
    raise("ModelError", error_class("ModelError")(text_of(error)));
  } catch (const PhysicsError& error) {
    raise("PhysicsError", error_class("PhysicsError")(error.what()));
  } catch (const ResultsError& error) {
    raise("ResultsError", error_class("ResultsError")(error.what()));
  }
}

}  // namespace

py::object error_class(const char* name) { return py::module_::import("lithe._errors").attr(name); }

void warn_of(const Remarks& remarks, const Remarks& said) {
  const py::object category = error_class("ResultWarning");
  const auto issue = [&](const std::vector<std::string>& texts, const std::vector<std::string>& known) {
    for (const std::string& text : texts) {
      if (std::find(known.begin(), known.end(), text) != known.end()) continue;
      if (PyErr_WarnEx(category.ptr(), text.c_str(), 1) != 0) throw py::error_already_set();
    }
  };
  issue(remarks.warnings, said.warnings);
  issue(remarks.distrust, said.distrust);
}

void refuse_name(const char* what, const std::string& name, const std::vector<std::string>& known) {
  std::string message = std::string("there is no ") + what + " '" + name + "'";
  const py::list near = py::module_::import("difflib").attr("get_close_matches")(name, known, 1);
  if (!near.empty()) {
    message += "; did you mean '" + near[0].cast<std::string>() + "'?";
  } else {
    std::string list;
    for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
    message += known.empty() ? "" : "; there are " + list;
  }
  raise("ModelError", error_class("ModelError")(message));
  throw py::error_already_set();
}

void bind_errors(py::module_& m) {
  py::class_<Diagnostic>(m, "Diagnostic", "One complaint about a model file.")
      .def_readonly("file", &Diagnostic::file, "Of the complaint: the model file, or one that it includes.")
      .def_readonly("line", &Diagnostic::line, "From 1; 0 when the whole file is meant.")
      .def_readonly("column", &Diagnostic::column, "From 1; 0 when the whole file is meant.")
      .def_readonly("key", &Diagnostic::key, "Path of the offending key, e.g. 'joints.knee-1.from'.")
      .def_readonly("message", &Diagnostic::message, "What was expected, with the remedy.")
      .def("__str__", &Diagnostic::text)
      .def("__repr__", [](const Diagnostic& d) { return "<lithe.Diagnostic " + d.text() + ">"; })
      .def(pickled_members<Diagnostic>("diagnostic", &Diagnostic::file, &Diagnostic::line, &Diagnostic::column,
                                       &Diagnostic::key, &Diagnostic::message));
  py::register_exception_translator(translate);
}

}  // namespace lithe::python
