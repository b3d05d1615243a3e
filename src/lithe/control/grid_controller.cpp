#include "lithe/control/grid_controller.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/errors.hpp"

namespace lithe {

GridController::GridController(std::vector<std::vector<double>> axes, std::vector<GridPoint> points)
    : axes_(std::move(axes)), points_(std::move(points)) {
  const auto refuse = [](const std::string& why) { throw MechanismError("controller", why); };
  std::size_t needed = 1;
  for (const std::vector<double>& axis : axes_) {
    if (axis.empty() || !std::is_sorted(axis.begin(), axis.end(), std::less_equal<>()))
      refuse("the values along an axis of the grid must rise");
    needed *= axis.size();
  }
  if (axes_.empty() || points_.size() != needed)
    refuse(fmt::format("the grid has {} places, but {} controllers are given", axes_.empty() ? 0 : needed,
                       points_.size()));
  for (const GridPoint& point : points_) {
    require_consistent(point.system);
    const StateSpace &system = point.system, &first = points_[0].system;
    if (system.A.rows() != first.A.rows() || system.D.rows() != first.D.rows() || system.D.cols() != first.D.cols() ||
        point.inputs_at.size() != system.D.cols() || point.outputs_at.size() != system.D.rows())
      refuse("the controllers of a grid have different numbers of states, inputs or outputs");
  }
  x_ = next_ = VectorX::Zero(points_[0].system.A.rows());
  input_ = VectorX::Zero(points_[0].system.D.cols());
  corners_.reserve(std::size_t{1} << axes_.size());
  wider_.reserve(std::size_t{1} << axes_.size());
}

void GridController::find_corners(std::span<const double> place) {
  corners_.assign(1, {0, 1.0});
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const std::vector<double>& axis = axes_[a];
    const auto after = std::upper_bound(axis.begin() + 1, axis.end(), place[a]);
    const auto first = static_cast<std::size_t>(after - axis.begin()) - 1;
    const double share =
        after == axis.end() ? 0.0 : std::clamp((place[a] - axis[first]) / (axis[first + 1] - axis[first]), 0.0, 1.0);
    wider_.clear();
    for (const auto& [corner, weight] : corners_) {
      if (share < 1.0) wider_.emplace_back(corner * axis.size() + first, weight * (1.0 - share));
      if (share > 0.0) wider_.emplace_back(corner * axis.size() + first + 1, weight * share);
    }
    corners_.swap(wider_);
  }
}

void GridController::sample(double /*t*/, std::span<const double> inputs, std::span<double> outputs) {
  const auto own = static_cast<std::size_t>(input_.size());
  find_corners(inputs.subspan(own));
  input_ = Eigen::Map<const VectorX>(inputs.data(), input_.size());
  Eigen::Map<VectorX> y(outputs.data(), std::ssize(outputs));
  for (const auto& [corner, weight] : corners_) input_ -= weight * points_[corner].inputs_at;
  y.setZero();
  next_.setZero();
  for (const auto& [corner, weight] : corners_) {
    const GridPoint& point = points_[corner];
    y += weight * point.outputs_at;
    y.noalias() += weight * point.system.C * x_;
    y.noalias() += weight * point.system.D * input_;
    next_.noalias() += weight * point.system.A * x_;
    next_.noalias() += weight * point.system.B * input_;
  }
  x_.swap(next_);
}

}  // namespace lithe
