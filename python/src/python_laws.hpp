#pragma once
// Python functions as laws of drives and controllers. They are types of their own, so that a model can be asked which
// Python objects it holds.

#include <pybind11/pybind11.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/simulation/sampled_controller.hpp"

namespace lithe::python {

namespace py = pybind11;

/// A Python object that C++ code may copy and drop without holding the interpreter's lock.
std::shared_ptr<py::object> guarded(py::object object);

/// tau = function(t, q, v) of one coordinate.
struct PythonLaw {
  std::string who;  ///< "the law of joint 'knee'"
  std::shared_ptr<py::object> function;
  double operator()(double t, double q, double v) const;
};

/// Forces of several coordinates from arrays of theirs or of others.
struct PythonControl {
  std::string who;
  std::shared_ptr<py::object> function;
  void operator()(double t, std::span<const double> q, std::span<const double> v, std::span<double> force) const;
};

/// The same at sample instants, with a memory: function(t, q, v), or function(t, y) with signals of sensors.
struct PythonSampledControl {
  std::string who;
  std::shared_ptr<py::object> function;
  std::size_t observed;  ///< coordinates, followed by their speeds; 0: signals of sensors
  std::unique_ptr<SampledSystem> operator()(const ControlSite& site) const;
};

/// What messages call the law of a coordinate, and the controller of several.
std::string law_name(const std::string& coordinate);
std::string controller_name(const std::vector<std::string>& driven);

}  // namespace lithe::python
