// Lines of maps that lie beside the end of a branch: the Delta robot of the gallery, in closed form.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/workspace_map.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// The level platform at a place: an arm in the plane of its leg, so long that one rod reaches from its end to the platform.
struct DeltaPose {
  double independence =
      0.0;              ///< determinant of the directions of the three pairs of rods; zero where the motors do not hold
  double margin = 1.0;  ///< zero where an arm and its rods are stretched, negative beyond
};

DeltaPose delta_at(double x, double y, double z) {
  const double arm = 0.25, rod = 0.5, inwards = 0.06 - 0.2;
  DeltaPose pose;
  Mat3 rods;
  for (int leg = 0; leg < 3; ++leg) {
    const double turn = 2 * std::numbers::pi / 3 * leg, c = std::cos(turn), s = std::sin(turn);
    const Vec3 wrist(c * x + s * y + inwards, c * y - s * x, z);
    // |arm (cos a, 0, -sin a) - wrist| = rod: p cos a + q sin a = r, the elbow that is outside.
    const double part = (wrist.squaredNorm() + arm * arm - rod * rod) / (2 * arm * std::hypot(wrist.x(), wrist.z()));
    pose.margin = std::min(pose.margin, 1.0 - std::abs(part));
    const double angle = std::atan2(-wrist.z(), wrist.x()) - std::acos(std::clamp(part, -1.0, 1.0));
    const Vec3 along = (wrist - arm * Vec3(std::cos(angle), 0, -std::sin(angle))) / rod;
    rods.col(leg) << c * along.x() - s * along.y(), s * along.x() + c * along.y(), along.z();
  }
  pose.independence = rods.determinant();
  return pose;
}

// Along the edge of the workspace the determinant changes its sign eighteen times: nine lines, along which the motors do not hold, cut off thin
// parts of it. The thinnest on the way of the grid, near (0.36, 0.33), is a hundredth of a millimetre wide there; cells are 34 mm wide.
TEST(WorkspaceMap, LinesBesideTheEdgeAreFound) {
  MapOptions options;
  options.axes = {{"pos.platform.x", -0.5, 0.5, 30}, {"pos.platform.y", -0.5, 0.5, 30}};
  const WorkspaceMap map = make_map(load_model(source_folder() + "/examples/delta-robot.yaml"), options);
  const double z = map.held.at("pos.platform.origin.z");
  int lines = 0;
  for (const MapCurve& curve : map.curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      const DeltaPose at = delta_at(curve.x[k], curve.y[k], z);
      if (curve.kind == MapCurve::Kind::reach) {
        EXPECT_NEAR(at.margin, 0.0, 1e-9);
        continue;
      }
      ASSERT_EQ(curve.kind, MapCurve::Kind::actuation);
      EXPECT_NEAR(at.independence, 0.0, 1e-8) << curve.x[k] << ' ' << curve.y[k];
      lines += k == 0 ? 1 : 0;
    }
  EXPECT_EQ(lines, 9);
}

}  // namespace
}  // namespace lithe
