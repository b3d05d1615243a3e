#pragma once
// Accelerations from forces, by any of the formulations. All work on the same Plan and State and, penalty apart,
// give the same accelerations.

#include <span>

#include "lithe/dynamics/actions.hpp"
#include "lithe/dynamics/formulation.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

/// Stabilisation of the redundant-coordinate formulations.
struct Stabilisation {
  double alpha = 0.0;              ///< Baumgarte, 1/s: -2 alpha A v
  double beta = 0.0;               ///< Baumgarte, 1/s: -beta^2 c
  double penalty_stiffness = 1e6;  ///< N/m
  double penalty_damping = 1e3;    ///< N s/m
};

struct ForwardOptions {
  Formulation formulation = Formulation::noc;
  /// Tree speeds whose accelerations already stand in `a`; their entries of actions.tau are ignored. They must have
  /// been kept by select_independent().
  std::span<const int> prescribed = {};
  Stabilisation stabilisation = {};
};

/// Accelerations of all tree speeds for given forces. The state satisfies the closures (project it first), and
/// select_independent() must have run. No allocation after the first call.
Status forward_dynamics(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                        const ForwardOptions& options = {});

/// Puts coordinates and speeds onto the closures, in the way of the formulation: most keep the independent ones and change the
/// dependent ones, `augmented-lagrangian` takes the nearest state, measured by the inertia. `prescribed` speeds and their
/// coordinates stay.
Status project_state(const Plan& plan, Workspace& work, State& state, const ForwardOptions& options = {});

/// Generalised inertia matrix N^T M N in the current independent speeds; kg m^2, kg m or kg.
Status generalised_inertia(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& G);

/// Inertia matrix of the open tree (nv x nv).
void tree_inertia(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& M);

}  // namespace lithe
