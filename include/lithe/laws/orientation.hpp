#pragma once
// Laws of rotation: how the axes of a frame turn in time.

#include <variant>
#include <vector>

#include "lithe/laws/curve.hpp"
#include "lithe/laws/law.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe {

/// Axes of a frame and how they turn; everything in ground axes.
struct Turning {
  Mat3 rotation = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();      ///< angular, rad/s
  Vec3 acceleration = Vec3::Zero();  ///< angular, rad/s^2
};

/// A turn by an angle law (rad) about an axis (unit).
struct TurnLaw {
  Vec3 axis = Vec3::UnitZ();
  Law angle;
};
/// One turn after the other, each in the axes turned so far; none: the axes of the ground.
struct TurnsLaw {
  std::vector<TurnLaw> turns;
};

/// Through given orientations: the natural cubic spline of the quaternions, normalised, so that the angular acceleration
/// is continuous. Over time, or over the arc length of a path; constant outside.
struct WaypointsLaw {
  TableLaw parts[4];  ///< w, x, y, z
  bool over_time = true;
};
/// Neighbours are taken on the shorter way. Throws std::invalid_argument when there are no waypoints, the lengths
/// differ, or `at` does not increase.
WaypointsLaw make_waypoints(std::vector<double> at, std::vector<Quat> waypoints, bool over_time);

/// The x-axis along the path, the z-axis as near to `up` as that allows.
struct TangentLaw {
  Vec3 up = Vec3::UnitZ();  ///< unit
};

using OrientationLaw = std::variant<TurnsLaw, WaypointsLaw, TangentLaw>;

/// `s` is the arc length at time t and `place` the point of the curve there; only waypoints over the arc length and
/// tangents look at them. A tangent along `up` gives numbers that are not finite.
Turning turning_at(const OrientationLaw& law, double t, const Jet& s, const CurvePoint& place);

/// Times at which the law or its derivatives jump, added to `times`.
void note_breakpoints(const OrientationLaw& law, std::vector<double>& times);

}  // namespace lithe
