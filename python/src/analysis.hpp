#pragma once
// Statics, modes and linearization, as Python sees them.

#include "bindings.hpp"
#include "lithe/simulation/operating_point.hpp"

namespace lithe::python {

struct NamedLinearization {
  Linearization linear;
  std::vector<std::string> inputs;  ///< names of the actuators
};

/// Adds statics(), modes(), linearize() and map() to the class.
void bind_pose_analyses(py::class_<Model, std::shared_ptr<Model>>& model);
/// linearize() (linear_models.cpp), and what it returns.
void bind_linearize(py::class_<Model, std::shared_ptr<Model>>& model);
void bind_linear_models(py::module_& m);
/// map() (maps.cpp), and what it returns.
void bind_map(py::class_<Model, std::shared_ptr<Model>>& model);
void bind_maps(py::module_& m);

/// Throws py::value_error when both are asked for.
Motors motors_asked_for(bool free, bool locked, Motors otherwise);

}  // namespace lithe::python
