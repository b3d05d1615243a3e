// Controllers on a grid: linear interpolation is exact for matrices that are linear along each axis.

#include "lithe/control/grid_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/errors.hpp"

namespace lithe::testing {
namespace {

/// A controller of one state whose numbers are bilinear in (p, r).
GridPoint bilinear(double p, double r) {
  const auto number = [&](double a, double b, double c, double d) {
    return MatrixX::Constant(1, 1, a + b * p + c * r + d * p * r);
  };
  return {{number(0.5, 0.1, 0.02, -0.03),
           number(1, 2, 3, 4),
           number(-1, 0.5, 0.2, 0.1),
           number(2, -1, 1, 0.3),
           0.01,
           {},
           {},
           {}},
          VectorX::Constant(1, 0.3 + p - 2 * r),
          VectorX::Constant(1, 5 - p * r)};
}

GridController two_axes() {
  const std::vector<double> p{0.0, 1.0, 3.0}, r{-1.0, 2.0};
  std::vector<GridPoint> points;
  for (const double first : p)
    for (const double second : r) points.push_back(bilinear(first, second));
  return {{p, r}, points};
}

TEST(GridController, InterpolatesBilinearly) {
  for (const auto& [p, r] : {std::pair{0.4, 0.3}, std::pair{2.9, -0.5}, std::pair{1.0, 2.0}, std::pair{0.0, -1.0}}) {
    GridController controller = two_axes();
    controller.state()[0] = 0.7;
    const GridPoint expected = bilinear(p, r);
    const std::vector<double> input{1.3, p, r};
    std::vector<double> output(1);
    controller.sample(0.0, input, output);
    // Offsets are interpolated first: they are bilinear, too. Each product of two of them is formed after that.
    const double u = 1.3 - expected.inputs_at[0];
    EXPECT_NEAR(output[0], expected.outputs_at[0] + expected.system.C(0, 0) * 0.7 + expected.system.D(0, 0) * u, 1e-12);
    EXPECT_NEAR(controller.state()[0], expected.system.A(0, 0) * 0.7 + expected.system.B(0, 0) * u, 1e-12);
  }
}

TEST(GridController, StaysBeyondItsGrid) {
  GridController controller = two_axes();
  const GridPoint corner = bilinear(3.0, -1.0);
  const std::vector<double> input{0.2, 7.0, -4.0};
  std::vector<double> output(1);
  controller.sample(0.0, input, output);
  EXPECT_NEAR(output[0], corner.outputs_at[0] + corner.system.D(0, 0) * (0.2 - corner.inputs_at[0]), 1e-12);
}

TEST(GridController, RefusesGridsWithHoles) {
  EXPECT_THROW(GridController({{0.0, 1.0}}, {bilinear(0, 0)}), MechanismError);
  EXPECT_THROW(GridController({{1.0, 0.0}}, {bilinear(0, 0), bilinear(1, 0)}), MechanismError);
  EXPECT_THROW(GridController({{0.0, 0.0}}, {bilinear(0, 0), bilinear(1, 0)}), MechanismError);
}

}  // namespace
}  // namespace lithe::testing
