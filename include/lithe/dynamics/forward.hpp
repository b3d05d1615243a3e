#pragma once
// Accelerations from forces, by any of the formulations. All work on the same Plan and State and, penalty apart,
// give the same accelerations.

#include <string_view>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

enum class Formulation {
  noc,          ///< recursive on the tree, loop complement for the loops; articulated recursion for open trees
  denoc,        ///< modular platform-cut recursion with twist annihilators
  multipliers,  ///< index-1 KKT system
  penalty,      ///< closures replaced by stiff springs and dampers
  // Slow ones, for checks: links by their momentum in dense matrices. They share the kinematics, the springs
  // of joints and line loads with the others, but no inertia and no elastic force of a link.
  partitioning,  ///< textbook embedding; chooses and eliminates the dependent speeds by itself
  noc_dense      ///< the complement written out with flexible twists; the independent speeds of `noc`
};

inline constexpr Formulation all_formulations[] = {Formulation::noc,          Formulation::denoc,
                                                   Formulation::multipliers,  Formulation::penalty,
                                                   Formulation::partitioning, Formulation::noc_dense};
std::string_view name_of(Formulation formulation);

/// Stabilisation of the redundant-coordinate formulations.
struct Stabilisation {
  double alpha = 0.0;              ///< Baumgarte, 1/s: -2 alpha A v
  double beta = 0.0;               ///< Baumgarte, 1/s: -beta^2 c
  double penalty_stiffness = 1e6;  ///< N/m
  double penalty_damping = 1e3;    ///< N s/m
};

/// Accelerations of all tree speeds for given forces. The state satisfies the closures (project it first).
///
/// Speeds listed in `prescribed` have the accelerations already standing in `a`; their entries of actions.tau are
/// ignored. select_independent() must have run, with the prescribed speeds kept.
/// No allocation after the first call. For `noc` also leaves N, bias and the inertia matrix in the workspace.
Status forward_dynamics(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                        Formulation formulation = Formulation::noc, const std::vector<int>& prescribed = {},
                        const Stabilisation& stabilisation = {});

/// Generalised inertia matrix N^T M N in the current independent speeds; kg m^2, kg m or kg.
Status generalised_inertia(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& G);

/// Inertia matrix of the open tree (nv x nv).
void tree_inertia(const Plan& plan, Workspace& work, const VectorX& q, MatrixX& M);

/// Why `formulation` cannot be used for this mechanism; empty when it can.
std::string why_not_applicable(const Plan& plan, Formulation formulation);

}  // namespace lithe
