#pragma once
// A linear controller that is known on a grid of measured values, as over a workspace.

#include "lithe/control/sampled_system.hpp"
#include "lithe/control/state_space.hpp"

namespace lithe {

/// A sampled controller about an operating point: its inputs count from `inputs_at`, its outputs from `outputs_at`.
struct GridPoint {
  StateSpace system;
  VectorX inputs_at, outputs_at;
};

class GridController : public SampledSystem {
 public:
  /// `axes`: rising values of each measured quantity; points with the last axis fastest. The states of all points must mean the
  /// same. Throws MechanismError for points that differ in size or do not fill the grid.
  GridController(std::vector<std::vector<double>> axes, std::vector<GridPoint> points);

  /// Inputs: those of the points, then where on the grid the machine is. Between points everything is interpolated
  /// linearly along each axis, beyond the grid it stays.
  void sample(double t, std::span<const double> inputs, std::span<double> outputs) override;
  std::span<double> state() override { return {x_.data(), static_cast<std::size_t>(x_.size())}; }

 private:
  /// Which corners of the grid lie about a place, and their shares.
  void find_corners(std::span<const double> place);

  std::vector<std::vector<double>> axes_;
  std::vector<GridPoint> points_;
  std::vector<std::pair<std::size_t, double>> corners_, wider_;
  VectorX x_, next_, input_;
};

}  // namespace lithe
