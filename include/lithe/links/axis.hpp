#pragma once
// The axis of a beam and how the deformation moves it: what loads along a link are integrated over.

#include <functional>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

/// Asked only while a Plan is made; an evaluation uses the integrals.
struct Axis {
  /// The axis at one place, one column per elastic coordinate of the link; link axes.
  struct Point {
    Vec3 position = Vec3::Zero();                     ///< undeformed (m)
    Vec3 along = Vec3::UnitX();                       ///< unit, towards the tip
    Eigen::Matrix3Xd shape;                           ///< displacement
    Eigen::Matrix<double, 2, Eigen::Dynamic> slopes;  ///< of the two deflections: they shorten the axis
  };

  double length = 0.0;                ///< m; 0: the link has no axis
  std::vector<double> ends;           ///< of the pieces in which everything is smooth, from 0 to `length` (m)
  std::vector<double> frames;         ///< distance along the axis of each frame of the link (m)
  std::function<Point(double s)> at;  ///< inside a piece, s from the root (m)
  int gauss_points = 4;               ///< that integrate a square of slopes times a square of s over a piece
  bool element_stress = false;        ///< a place shortens by whole pieces, those whose middle lies before it
};

}  // namespace lithe
