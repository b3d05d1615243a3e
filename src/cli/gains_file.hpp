#pragma once
// The controller of `lithe gains` as a model file that includes the model.

#include "control_verbs.hpp"
#include "lithe/control/synthesis.hpp"
#include "lithe/simulation/linear_model.hpp"
#include "pose_grid.hpp"

namespace lithe::cli {

/// A controller and what it is to keep up, at one operating point.
struct ControllerPoint {
  double t = 0.0;  ///< s
  StateSpace controller;
  std::vector<LinearModel::Signal> measured, motors;  ///< inputs and outputs of the controller, with their values there
};

/// Throws InputError when the options do not describe a controller that a run could have.
void check_controller_file(const GainsOptions& options);

/// Writes options.write and, beside it, the matrices. Throws InputError for what no sensor measures and motors that take
/// no force.
/// With `axes` the points stand on that grid.
void write_controller_file(const GainsOptions& options, const Model& model, const std::vector<ControllerPoint>& points,
                           const std::vector<GridAxis>& axes);

}  // namespace lithe::cli
