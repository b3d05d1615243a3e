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
  Linearization linear;   ///< about the equilibrium, locked speeds left out
};

/// Finds rest near `start` with the coordinates of `locked` (the motors, as a rule) held, by Newton's method: a step is
/// at most 0.3 rad long and is halved until the next one becomes shorter. Throws PhysicsError when there is none
/// nearby, when no part of a step helps, and when the mechanism is free to move without resistance. Deflections are
/// those of the shapes that the links of `plan` keep; the static twin of a model (rest.hpp) has them exactly.
Equilibrium find_equilibrium(const Plan& plan, Workspace& work, const State& start, const Actions& actions,
                             const std::vector<int>& locked);

/// Compliance of a frame at an equilibrium: displacement and rotation (ground axes, rotation first) per unit of moment
/// and force on it, motors locked. 6 x 6; inverse of the stiffness where that exists. Exact for the finite elements of
/// the links in a static twin.
MatrixX frame_compliance(const Plan& plan, Workspace& work, const Equilibrium& rest, FrameRef frame);

/// Names of the links with an axis that no shape stretches: their models say nothing about it.
std::vector<std::string> inextensible_links(const Mechanism& mechanism);

}  // namespace lithe
