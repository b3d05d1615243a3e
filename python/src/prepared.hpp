#pragma once
// A model ready for evaluation, as Python sees it.

#include <pybind11/pybind11.h>

#include <optional>

#include "bindings.hpp"
#include "lithe/dynamics/batch.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/real_time.hpp"
#include "lithe/simulation/step.hpp"

namespace lithe::python {

/// Memory for many states at once, with what it was made for.
struct KeptBatch {
  int threads = 0;
  long uses = 0;  ///< of the workspace, when it was made: since then others may have become independent
  std::unique_ptr<Batch> batch;
};

/// Plan, workspace and state of a model. One thread at a time.
struct PreparedModel {
  explicit PreparedModel(const Model& given) : model(given), prepared(prepare(model)), stepper(prepared.plan) {}
  PreparedModel(const PreparedModel&) = delete;
  PreparedModel& operator=(const PreparedModel&) = delete;

  const Plan& plan() const { return prepared.plan; }
  Workspace& work() {
    ++uses;
    return prepared.work;
  }
  State& state() { return prepared.state; }
  /// Throws PhysicsError that names loop and time.
  void require(const Status& status) const;
  /// "motor-1": name of an index into [v; cut speeds].
  std::string speed_name(int v) const;

  Model model;
  Prepared prepared;
  Stepper stepper;
  long uses = 0;   ///< of the workspace
  KeptBatch kept;  ///< of the last call for many states; empty while one is under way
};

/// Fixed steps of a prepared model.
struct RealTime {
  std::shared_ptr<PreparedModel> prepared;
  RealTimeStepper stepper;
};

/// Forces by name, or in the order of the actuated coordinates.
using Forces = std::optional<py::object>;
/// Load by name: {"force": (x, y, z), "moment": (x, y, z)}; the others follow the model's laws.
using Loads = std::optional<py::dict>;

/// What acts at the present state. Throws py::value_error for wrong lengths and ModelError for unknown names.
Actions actions_of(PreparedModel& self, const Forces& tau, const Loads& loads);

/// Accelerations of all tree speeds, checked; empty: zero.
VectorX accelerations_of(const PreparedModel& self, const std::optional<VectorX>& a);

/// A frame by name; throws ModelError for unknown ones.
FrameRef frame_of(const PreparedModel& self, const std::string& name);

/// Adds the methods of the dynamics to the class.
void bind_dynamics(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared);
void bind_batch(py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared);
void bind_derivatives(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared);
void bind_real_time(py::module_& m, py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared);

}  // namespace lithe::python
