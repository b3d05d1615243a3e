#pragma once
// Paths in space: where a frame shall be at any time and how it shall be turned, with exact velocities and accelerations.

#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "lithe/laws/curve.hpp"
#include "lithe/laws/law.hpp"
#include "lithe/laws/orientation.hpp"

namespace lithe {

/// A frame on its way, in ground axes. The turning means nothing when the path has no orientation.
struct PathPoint {
  Vec3 position = Vec3::Zero();      ///< m
  Vec3 velocity = Vec3::Zero();      ///< m/s
  Vec3 acceleration = Vec3::Zero();  ///< m/s^2
  Turning turning;
};

/// How a curve is travelled: from rest to rest, with a stop wherever its direction jumps.
struct PathTiming {
  MotionProfile profile = MotionProfile::quintic;
  MotionLimits limits;             ///< along the curve: m/s, m/s^2, m/s^3
  std::optional<double> duration;  ///< of the whole, stops included, s; without it: as fast as the limits allow
  double start = 0.0;              ///< s
  double dwell = 0.0;              ///< rest at each stop, s
};

class Path {
 public:
  Path() = default;  ///< rests at the origin
  /// Throws std::invalid_argument as Progress does.
  Path(Curve curve, const PathTiming& timing);
  /// Three laws of time, m.
  Path(Law x, Law y, Law z);

  /// Without one, a path says nothing about rotation. Throws std::invalid_argument for a tangent where there is none: of
  /// laws, of a curve without length, at corners that are not rounded, along `up`.
  void turn(OrientationLaw orientation);
  bool turns() const { return orientation_.has_value(); }

  /// Puts the path into other axes: it was given in those of `base`, a pose in ground axes. Mirrored: the opposite of its
  /// y there, with the frame reflected in its own axes too, as mirrored parts have them (rotation S R S, S = diag(1, -1, 1)).
  void place(const Pose& base, bool mirrored);

  /// Puts another law in the place of each law of time behind the path: of the arc length, so that the curve stays, or of
  /// the positions; of turns. What `change` gives must not run backwards. Throws std::invalid_argument for
  /// orientations with times of their own, which no law stands behind, and for corners at which the path stops: it would
  /// no longer.
  void change_timing(const std::function<Law(const Law&)>& change);

  /// Position, rotation and their first two derivatives at time t. No allocation.
  PathPoint at(double t) const;
  /// Times at which a velocity or an acceleration jumps, ascending and distinct.
  std::vector<double> breakpoints() const;

  /// The curve that is travelled; that of laws has no length.
  const Curve& curve() const { return curve_; }
  /// Arc length at time t, m.
  Jet travelled(double t) const;
  /// Time at which the last stop is reached; that of laws is zero.
  double end() const { return end_; }

 private:
  /// From `t` on the arc length is at least `s`: curvatures jump there, and no rounding must take the wrong side.
  struct Bend {
    double t, s;
  };

  struct Placement {
    Pose base;
    bool mirrored = false;
  };

  void find_bends();
  void put_into_place(PathPoint& point) const;

  std::optional<Placement> placement_;
  Curve curve_;
  Law progress_;  ///< arc length
  double end_ = 0.0;
  std::vector<Bend> bends_;
  bool by_laws_ = false;
  Law laws_[3];
  std::optional<OrientationLaw> orientation_;
};

}  // namespace lithe
