// Wrong arguments in words of our own, for every function, method and property of the module at once.
//
// pybind11 answers a call whose arguments fit no signature with all C++ signatures and the repr of all arguments. Every
// function of the module is a PyCFunction with one and the same dispatcher behind it: here another one is put before it,
// which lets lithe._call_errors make a sentence of what went wrong. Calls that succeed pay nothing but a jump.

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "bindings.hpp"

namespace lithe::python {
namespace {

PyCFunctionWithKeywords pybind_dispatcher = nullptr;

/// By the capsule that is the `self` of a PyCFunction. Leaked on purpose: functions may be called while Python ends.
std::unordered_map<PyObject*, std::string>& function_names() {
  static auto* names = new std::unordered_map<PyObject*, std::string>;
  return *names;
}

bool is_of_pybind(PyObject* type, const std::string_view text) {
  if (PyErr_GivenExceptionMatches(type, PyExc_TypeError) != 0)
    return text.find("incompatible function arguments") != text.npos ||
           text.find("incompatible constructor arguments") != text.npos;
  return PyErr_GivenExceptionMatches(type, PyExc_RuntimeError) != 0 && text.starts_with("Unable to cast Python");
}

/// The error that is set, in other words where it is one of pybind11's own.
void explain_error(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  try {
    const std::string text = value == nullptr ? "" : py::str(py::handle(value)).cast<std::string>();
    if (is_of_pybind(type, text)) {
      const auto found = function_names().find(self);
      const py::object sentence =
          py::module_::import("lithe._call_errors")
              .attr("explain")(found == function_names().end() ? "" : found->second, text,
                               py::reinterpret_borrow<py::tuple>(args),
                               keywords == nullptr ? py::dict() : py::reinterpret_borrow<py::dict>(keywords));
      const py::object error = py::reinterpret_borrow<py::object>(PyExc_TypeError)(sentence);
      Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
      PyErr_SetObject(PyExc_TypeError, error.ptr());
      return;
    }
  } catch (py::error_already_set&) {
    // Then in the words of pybind11.
  }
  PyErr_Restore(type, value, trace);
}

PyObject* dispatch(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* result = pybind_dispatcher(self, args, keywords);
  if (result == nullptr && PyErr_Occurred() != nullptr) explain_error(self, args, keywords);
  return result;
}

void take_over(const py::handle& function, const std::string& name) {
  PyObject* object = function.ptr();
  if (PyInstanceMethod_Check(object)) object = PyInstanceMethod_GET_FUNCTION(object);
  if (PyCFunction_Check(object) == 0) return;
  PyMethodDef* definition = reinterpret_cast<PyCFunctionObject*>(object)->m_ml;
  if ((definition->ml_flags & METH_KEYWORDS) == 0) return;
  const auto before = reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(definition->ml_meth));
  if (before == dispatch) return;
  if (pybind_dispatcher == nullptr) pybind_dispatcher = before;
  if (before != pybind_dispatcher) return;
  definition->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(dispatch));
  function_names()[PyCFunction_GET_SELF(object)] = name;
}

void take_over_class(const py::handle& type, const std::string& name) {
  for (const auto& [key, member] : py::dict(type.attr("__dict__"))) {
    const std::string whole = name + "." + key.cast<std::string>();
    if (py::isinstance(member, reinterpret_cast<PyObject*>(&PyProperty_Type))) {
      take_over(member.attr("fget"), whole);
      take_over(member.attr("fset"), whole + " =");
    } else if (py::isinstance(member, reinterpret_cast<PyObject*>(&PyStaticMethod_Type))) {
      take_over(member.attr("__func__"), whole + "()");
    } else {
      take_over(member, whole + "()");
    }
  }
}

}  // namespace

void explain_call_errors(const py::module_& m) {
  for (const auto& [key, value] : m.attr("__dict__").cast<py::dict>()) {
    const auto name = key.cast<std::string>();
    if (PyType_Check(value.ptr()) != 0)
      take_over_class(value, name);
    else
      take_over(value, name + "()");
  }
}

}  // namespace lithe::python
