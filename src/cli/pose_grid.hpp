#pragma once
// A grid of poses of a model: joints with the values that they take.

#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe::cli {

struct GridAxis {
  std::string joint;  ///< JOINT, or JOINT.k of one with several coordinates
  std::vector<double> values;
};

/// "JOINT=FROM:TO:COUNT". Throws InputError, also for joints that the model has not.
std::vector<GridAxis> grid_axes(const Model& model, const std::vector<std::string>& texts);

/// Values of the joints at place k, the last joint fastest.
std::vector<double> grid_place(const std::vector<GridAxis>& axes, std::size_t k);
std::size_t grid_size(const std::vector<GridAxis>& axes);

/// The model with these joints at these values at its start; what drives want of them is that they stay there.
Model model_at(const Model& model, const std::vector<GridAxis>& axes, const std::vector<double>& place);

}  // namespace lithe::cli
