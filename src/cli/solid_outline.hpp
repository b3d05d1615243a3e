#pragma once
// Boxes, cylinders and spheres of rigid links as areas of a drawing.

#include <vector>

#include "figure_view.hpp"

namespace lithe::cli {

/// The outline of a solid in some rows: always the same number of corners, so that it can move; corners may coincide. Of a thin rod its two ends.
struct SolidOutline {
  bool rod = false;
  std::vector<std::vector<Eigen::Vector2d>> corners;  ///< per row
  double depth = 0.0;                                 ///< of its middle in the first row
};

/// Those of a link; nothing is drawn thinner than `thin` (m).
std::vector<SolidOutline> solid_outlines(const LinkData& link, const std::vector<Pose>& poses,
                                         const std::vector<std::size_t>& rows, const FigureView& view, double thin);

/// From where on its solids a frame beside them is held, link axes; the frame itself when it lies within one.
Vec3 held_from(const LinkData& link, const Vec3& frame);

/// Shades of rigid links: neighbours differ; -1: a body that nothing holds.
std::vector<int> shades_of(const Mechanism& mechanism);

}  // namespace lithe::cli
