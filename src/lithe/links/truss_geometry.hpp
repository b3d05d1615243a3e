#pragma once
// The inside of a truss: checked nodes and bars with numbers in place of names, and the directions in which nodes move.

#include <string>
#include <vector>

#include "lithe/links/truss.hpp"

namespace lithe::detail {

struct TrussGeometry {
  struct Node {
    Vec3 position = Vec3::Zero();
    double mass = 0.0;     ///< concentrated, kg
    int first = 0;         ///< its first coordinate; the others follow
    Matrix3X directions;   ///< orthonormal columns: displacement per coordinate
    std::vector<int> far;  ///< nodes at the other ends of its bars
  };
  struct Bar {
    int from = 0, to = 0;
    double length = 0.0;        ///< m
    Vec3 axis = Vec3::UnitX();  ///< unit, from -> to
    double stiffness = 0.0;     ///< EA / length, N/m
    double mass = 0.0;          ///< kg
    std::string name;
  };

  std::vector<Node> nodes;
  std::vector<Bar> bars;
  int count = 0;  ///< coordinates

  /// Lengthening of each bar (rows) per coordinate, to first order.
  MatrixX lengthening() const;
  /// Motions of the whole truss as a rigid body that the supports allow: orthonormal columns in the coordinates.
  MatrixX rigid_motions;
};

/// Throws MechanismError naming `link`; see truss_model.
TrussGeometry truss_geometry(const std::string& link, const TrussSpec& spec);

/// "y", or "[0.707, 0.707, 0]" for a direction that is no axis; the largest component is made positive.
std::string direction_name(const Vec3& direction);

}  // namespace lithe::detail
