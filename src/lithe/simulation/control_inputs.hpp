#pragma once
// What controllers are given at an operating point.

#include "lithe/simulation/linear_model.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::detail {

/// Names of the columns of all sensors.
std::vector<std::string> sensor_columns(const Model& model);

/// Which of these outputs is a signal; -1: the input has none.
int signal_of(const std::vector<LinearModel::Signal>& sensors, const ControlInput& input);

/// The value of an input when the motors are as they are wanted.
double nominal_input(OperatingPoint& point, const std::vector<LinearModel::Signal>& sensors, const ControlInput& input);

}  // namespace lithe::detail
