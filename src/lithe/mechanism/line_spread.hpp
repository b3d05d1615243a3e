#pragma once
// Integrals over the lines along which loads act: everything about their shape, once for all evaluations.

#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe::detail {

/// Integrals with a weight w(s) along a line of a link, link axes, about the link origin. A force per length w(s) f
/// does what the force f times these does: the points of the line move by Phi eta - 1/2 eta^T S eta.
struct LineIntegral {
  double length = 0.0;                    ///< int w ds (m)
  Vec3 moment = Vec3::Zero();             ///< int w x ds (m^2)
  Matrix3X shape;                         ///< int w Phi ds
  std::array<MatrixX, 3> foreshortening;  ///< int w S_a ds; empty where it vanishes
};

/// What a line load does on one link.
struct LineSpread {
  int load = 0;  ///< of Mechanism::line_loads
  int link = 0;
  bool in_link_axes = false;
  bool shortens = false;     ///< the foreshortening is part of the kinematics; otherwise it serves Stiffening::stress
  LineIntegral whole, ramp;  ///< w = 1; w from 0 at the start of the load to 1 at its end
};

/// The spreads of a valid mechanism, load by load.
std::vector<LineSpread> line_spreads(const Mechanism& mechanism);

/// Throws MechanismError naming the load for lines that do not lie on their links.
void check_line_load(const Mechanism& mechanism, const LineLoad& load);

}  // namespace lithe::detail
