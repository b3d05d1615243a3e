#pragma once
// The parts of the Python module. Each bind_ function adds its classes and functions.

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_results(py::module_& m);
void bind_run_options(py::module_& m);
void bind_analysis(py::module_& m);
void bind_fatigue(py::module_& m);
void bind_prepared(py::module_& m);
/// Needs the classes of all others.
void bind_model(py::module_& m);
/// Needs models.
void bind_identification(py::module_& m);
void bind_studies(py::module_& m);

/// Last of all: wrong arguments of every function of the module are told in words of our own.
void explain_call_errors(const py::module_& m);

/// Adds the methods that run a model: simulate, inverse_dynamics, kinematics.
void bind_runs(py::class_<Model, std::shared_ptr<Model>>& model);
/// Adds record(), which chooses what runs record.
void bind_record(py::class_<Model, std::shared_ptr<Model>>& model);
/// Adds the methods that drive joints by Python functions.
void bind_drives(py::class_<Model, std::shared_ptr<Model>>& model);

/// The exception class `name` of the package (ModelError, PhysicsError, ...).
py::object error_class(const char* name);

/// Python warnings (lithe.ResultWarning) of what speaks against a result, without what `said` says already.
void warn_of(const Remarks& remarks, const Remarks& said = {});

/// Python's own way to say that something is not one of the names: "no joint 'x'; did you mean 'y'?".
[[noreturn]] void refuse_name(const char* what, const std::string& name, const std::vector<std::string>& known);

/// Coordinates with a motor, "JOINT" or "JOINT.k", in the order of the joints.
std::vector<std::string> actuated_names(const Model& model);

}  // namespace lithe::python
