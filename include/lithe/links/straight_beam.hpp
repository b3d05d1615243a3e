#pragma once
// A straight beam whose deformation is described by few global shapes instead of finite elements: what assumed modes
// and Bezier beams share.

#include "lithe/links/beam.hpp"

namespace lithe {

struct StraightBeam {
  double length = 1.0;             ///< m
  Vec3 direction = Vec3::UnitX();  ///< of the axis, which starts at the link origin; any length
  Vec3 section_y = Vec3::UnitY();  ///< direction of the section's y axis, made perpendicular to the axis
  std::vector<SectionStation> stations;
  std::vector<BeamMass> masses;
  std::vector<BeamFrame> frames;  ///< besides "root" and "tip", which are always there
};

}  // namespace lithe
