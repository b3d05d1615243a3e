#pragma once
// Equilibrium under gravity, springs and loads, and the stiffness of frames there.

#include "lithe/analysis/linearize.hpp"
#include "lithe/dynamics/inverse.hpp"

namespace lithe {

struct Equilibrium {
  State state;  ///< at rest, closures satisfied
  int iterations = 0;
  double residual = 0.0;  ///< largest generalised force left over
  VectorX tau;            ///< forces of the locked speeds that hold it, [tree; cut]
  bool stable = true;     ///< small disturbances do not grow (K positive semidefinite)
  Linearisation linear;   ///< about the equilibrium, locked speeds left out
};

/// Finds rest near `start` with the coordinates of `locked` (the motors, as a rule) held, by Newton's method with line
/// search. Throws PhysicsError when there is none nearby or the mechanism is free to move without resistance.
Equilibrium find_equilibrium(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                             const std::vector<int>& locked);

/// Compliance of a frame at an equilibrium: displacement and rotation (ground axes, rotation first) per unit of moment
/// and force on it, motors locked. 6 x 6; inverse of the stiffness where that exists.
MatrixX frame_compliance(const Plan& plan, Workspace& work, const Equilibrium& rest, FrameRef frame);

}  // namespace lithe
