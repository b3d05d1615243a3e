#include "lithe/links/tip_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/links/link_error.hpp"
#include "lithe/links/named_frame.hpp"

namespace lithe {

namespace {

/// Displacements and distances below this share of the length are rounding.
constexpr double rounding = 1e-9;

}  // namespace

void turn_with_chord(LinkData& link) {
  const Frame root = detail::named_frame(link.name, link.frames, "root");
  const Vec3 tip = detail::named_frame(link.name, link.frames, "tip").pose.position - root.pose.position;
  const double length = tip.norm();
  const Vec3 along = tip / length;
  double largest = 0.0;
  for (const Frame& frame : link.frames) largest = std::max(largest, frame.shape.norm() + length * frame.turn.norm());
  if (root.shape.norm() + length * root.turn.norm() > rounding * largest)
    detail::refuse_link(link.name, "the chord is measured from a root that stays where it is; use 'root: clamped'");
  for (Frame& frame : link.frames) {
    const Vec3 arm = frame.pose.position - root.pose.position;
    if (arm.norm() < rounding * length) continue;  // the root turns not at all
    if (along.cross(arm).norm() > rounding * length)
      detail::refuse_link(
          link.name, fmt::format("frame '{}' does not stand on the axis of the beam, so its chord is not that of the "
                                 "beam; put it on the axis or leave 'tip-rotation: chord' out",
                                 frame.name));
    const Matrix3X twist = along * (along.transpose() * frame.turn);
    frame.turn = skew(along) * frame.shape / along.dot(arm) + twist;
  }
}

}  // namespace lithe
