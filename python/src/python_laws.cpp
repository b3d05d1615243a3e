// Calls of Python functions from runs: with the interpreter's lock, and with a note of where an exception comes from.

#include "python_laws.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstdio>

namespace lithe::python {
namespace {

/// Tells with the exception where it comes from.
[[noreturn]] void rethrow_with_note(py::error_already_set& error, const std::string& who, double t) {
  const py::object value = error.value();
  if (py::hasattr(value, "add_note")) {
    char time[32];
    std::snprintf(time, sizeof time, "%.6g", t);
    value.attr("add_note")("in " + who + ", at t = " + time + " s");
  }
  throw;  // NOLINT: called inside the handler of this error
}

[[noreturn]] void refuse_answer(const std::string& who, const py::object& answer, const std::string& expected) {
  const std::string message = who + " returned " + py::repr(answer).cast<std::string>() + "; expected " + expected;
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw py::error_already_set();
}

py::array_t<double> copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// The forces that a controller answers with, one for each coordinate that it drives.
void take_forces(const std::string& who, const py::object& answer, std::span<double> force) {
  const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(answer);
  if (!values) PyErr_Clear();
  if (!values || values.size() != static_cast<py::ssize_t>(force.size()))
    refuse_answer(who, answer, std::to_string(force.size()) + " numbers (N m or N)");
  std::copy_n(values.data(), force.size(), force.begin());
}

/// A Python object that is asked at sample instants.
class SampledPython : public SampledSystem {
 public:
  explicit SampledPython(const PythonSampledControl& control) : control_(control) {
    const py::gil_scoped_acquire locked;
    if (py::hasattr(*control_.function, "reset")) control_.function->attr("reset")();
  }

  void sample(double t, std::span<const double> inputs, std::span<double> force) override {
    const py::gil_scoped_acquire locked;
    const py::object& law = *control_.function;
    const std::size_t observed = control_.observed;
    try {
      const py::object answer = observed > 0
                                    ? law(t, copy_of(inputs.first(observed)), copy_of(inputs.subspan(observed)))
                                    : law(t, copy_of(inputs));
      take_forces(control_.who, answer, force);
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, control_.who, t);
    }
  }

 private:
  PythonSampledControl control_;
};

}  // namespace

std::shared_ptr<py::object> guarded(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire locked;
            delete held;
          }};
}

double PythonLaw::operator()(double t, double q, double v) const {
  const py::gil_scoped_acquire locked;
  try {
    const py::object force = (*function)(t, q, v);
    const double value = PyFloat_AsDouble(force.ptr());
    if (!PyErr_Occurred()) return value;
    PyErr_Clear();
    refuse_answer(who, force, "a number (N m or N)");
  } catch (py::error_already_set& error) {
    rethrow_with_note(error, who, t);
  }
}

void PythonControl::operator()(double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> force) const {
  const py::gil_scoped_acquire locked;
  try {
    take_forces(who, (*function)(t, copy_of(q), copy_of(v)), force);
  } catch (py::error_already_set& error) {
    rethrow_with_note(error, who, t);
  }
}

std::unique_ptr<SampledSystem> PythonSampledControl::operator()(const ControlSite&) const {
  return std::make_unique<SampledPython>(*this);
}

std::string law_name(const std::string& coordinate) { return "the law of joint '" + coordinate + "'"; }

std::string controller_name(const std::vector<std::string>& driven) {
  std::string who = "the controller of ";
  for (std::size_t i = 0; i < driven.size(); ++i) who += (i > 0 ? ", '" : "'") + driven[i] + "'";
  return who;
}

}  // namespace lithe::python
