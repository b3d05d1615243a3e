#pragma once
// Curves in space by their arc length: lines, circles, splines.

#include <variant>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

/// A point of a curve and its derivatives with respect to the arc length.
struct CurvePoint {
  Vec3 position = Vec3::Zero();  ///< m
  Vec3 tangent = Vec3::Zero();   ///< unit
  Vec3 second = Vec3::Zero();    ///< curvature towards the centre, 1/m
  Vec3 third = Vec3::Zero();     ///< 1/m^2
};

class Curve {
 public:
  Curve() = default;  ///< the origin

  /// Straight lines through the points; one point is a curve of length zero. With `corner` > 0 each corner is rounded by
  /// an arc that begins and ends so far (m) from it; without it, the direction jumps there (see stops()).
  /// Throws std::invalid_argument without points, for equal neighbours, and for corners that do not fit.
  static Curve lines(const std::vector<Vec3>& points, double corner = 0.0);
  /// From `start` about the axis through `centre` along `normal`, right-handed for turns > 0.
  /// Throws std::invalid_argument when `start` is not in the plane of the circle, or on its axis.
  static Curve circle(const Vec3& centre, const Vec3& normal, const Vec3& start, double turns);
  /// Throws std::invalid_argument when the points are on one line.
  static Curve arc(const Vec3& from, const Vec3& through, const Vec3& to);
  /// Natural cubic spline over the distances between the points; the curvature is continuous. Throws
  /// std::invalid_argument for fewer than two points and for equal neighbours.
  static Curve spline(const std::vector<Vec3>& points);

  /// s from 0 to length(), m; held at the ends.
  CurvePoint at(double s) const;
  double length() const { return ends_.empty() ? 0.0 : ends_.back(); }

  /// Arc lengths at which the direction jumps, so that a motion has to rest; the ends are not among them.
  const std::vector<double>& stops() const { return stops_; }
  /// Arc lengths at which the curvature jumps.
  const std::vector<double>& bends() const { return bends_; }
  /// Arc lengths of the points that the curve was made of: as many as were given; of a rounded corner its middle.
  const std::vector<double>& points() const { return points_; }

 private:
  struct Line {
    Vec3 from, direction;
  };
  struct Arc {
    Vec3 centre, out, along;  ///< unit vectors: to the start, and along the motion there
    double radius;
  };
  /// c[0] + c[1] u + c[2] u^2 + c[3] u^3, u from 0 to `width`.
  struct Cubic {
    Vec3 c[4];
    double width;
  };
  using Piece = std::variant<Line, Arc, Cubic>;

  static CurvePoint on(const Line& line, double s, double length);
  static CurvePoint on(const Arc& arc, double s, double length);
  static CurvePoint on(const Cubic& cubic, double s, double length);
  static double length_to(const Cubic& cubic, double u);
  void add(const Piece& piece, double length);

  Vec3 only_ = Vec3::Zero();  ///< the point of a curve of length zero
  std::vector<Piece> pieces_;
  std::vector<double> ends_;  ///< arc length at which each ends
  std::vector<double> stops_, bends_, points_;
};

}  // namespace lithe
