#pragma once
// The axis of a beam and how the deformation moves it: what loads along a link are integrated over.

#include <functional>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

/// Values at a few places of every piece, between which polynomials run: exact for finite elements and Bezier beams, to
/// rounding for the sines and exponentials of assumed modes. Asked only while a Plan is made; an evaluation uses the
/// integrals.
struct Axis {
  using Slopes = Eigen::Matrix<double, 2, Eigen::Dynamic>;

  /// The axis at one place, one column per elastic coordinate of the link; link axes.
  struct Point {
    Vec3 position = Vec3::Zero();  ///< undeformed (m)
    Vec3 along = Vec3::UnitX();    ///< unit, towards the tip
    Eigen::Matrix3Xd shape;        ///< displacement
    Slopes slopes;                 ///< of the two deflections: they shorten the axis
  };

  /// A straight piece in which everything is smooth. Samples stand at the Chebyshev points of the piece (zeros of the
  /// Chebyshev polynomial of their number), towards the tip.
  struct Piece {
    Vec3 start = Vec3::Zero();   ///< undeformed (m)
    Vec3 along = Vec3::UnitX();  ///< unit, towards the tip
    std::vector<Eigen::Matrix3Xd> shape;
    std::vector<Slopes> slopes;
  };

  double length = 0.0;          ///< m; 0: the link has no axis
  std::vector<double> ends;     ///< of the pieces, from 0 to `length` (m): one more than there are pieces
  std::vector<double> frames;   ///< distance along the axis of each frame of the link (m)
  int gauss_points = 4;         ///< that integrate a square of slopes times a square of s over a piece
  bool element_stress = false;  ///< a place shortens by whole pieces, those whose middle lies before it
  std::vector<Piece> pieces;

  /// The axis at distance s from the root (m); at the end of a piece the one beyond it.
  Point at(double s) const;

  /// Fills `pieces` between `ends` with `samples` values each, taken from `place` strictly inside the piece.
  void sample(int samples, const std::function<Point(double s)>& place);
};

}  // namespace lithe
