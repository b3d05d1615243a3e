#pragma once
// Statics, modes and linearisation, as Python sees them.

#include "bindings.hpp"
#include "lithe/analysis/linearize.hpp"

namespace lithe::python {

struct NamedLinearisation {
  Linearisation linear;
  std::vector<std::string> inputs;  ///< names of the actuators
};

/// Adds statics(), modes() and linearize() to the class.
void bind_pose_analyses(py::class_<Model, std::shared_ptr<Model>>& model);

}  // namespace lithe::python
