#pragma once
// What a link looks like: points that move with it, lines and faces between them.

#include <array>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

struct Drawing {
  struct Point {
    Vec3 position = Vec3::Zero();  ///< undeformed, link axes (m)
    Matrix3X shape;                ///< displacement per elastic coordinate; no columns on a rigid link
  };
  std::vector<Point> points;
  std::vector<Outline::Line> lines;     ///< between points
  std::vector<std::vector<int>> faces;  ///< corners of flat areas, in order around
  std::vector<int> frame_points;        ///< per frame of the link: its point
};

/// An elastic link is drawn by its outline, a rigid one by the solids that it was put together from (the report takes
/// those from the link); brackets lead from there to joints and springs that lie off them. A rigid link without solids
/// is drawn by the places of its joints: a bar between two, a plate through
/// three or more in a plane, spokes otherwise; with a box of the same mass and inertia where the body is bulky or has
/// no two joints, bounded by the frames where no real body would be so light. The ground has points only, and so has a rigid
/// link that is `dressed`: a mesh says what it looks like. Frames that are `recorded` do not float beside a bar: brackets lead to
/// them, too.
Drawing drawing_of(const Mechanism& mechanism, int link, bool dressed = false,
                   const std::vector<FrameRef>& recorded = {});

}  // namespace lithe::detail
