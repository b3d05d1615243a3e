#pragma once
// Rotations in space as three coordinates near a rotation: turn = turn_0 exp(theta), angular velocity in body axes.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// A motion in the chart: rotation vector since the start, its rate and second rate.
struct ChartMotion {
  Vec3 theta = Vec3::Zero(), rate = Vec3::Zero(), second = Vec3::Zero();
};
/// The same motion in body axes: angular velocity (rad/s) and angular acceleration (rad/s^2).
struct BodyMotion {
  Vec3 omega = Vec3::Zero(), alpha = Vec3::Zero();
};

BodyMotion body_motion(const ChartMotion& chart);
ChartMotion chart_motion(const Vec3& theta, const BodyMotion& body);

/// The motion in the chart that starts at exp(`start`) of this one.
ChartMotion in_chart_from(const Vec3& start, const ChartMotion& motion);

}  // namespace lithe::detail
