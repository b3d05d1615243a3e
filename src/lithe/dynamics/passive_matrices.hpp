#pragma once
// Stiffness and damping that the links, joints and springs of a mechanism have in themselves, in coordinates of one's
// choice.

#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

/// Adds N^T k N of elastic links alone.
void add_strain_stiffness(const Plan& plan, const MatrixX& N, MatrixX& stiffness);

/// Adds N^T k N and N^T d N of elastic links, joint springs and dampers, springs between frames and coupled dampers,
/// for tree speeds v = N x'. What pretension, gravity and the curvature of N add to the stiffness is left out: it is
/// small where the rest is stiff.
void add_passive_matrices(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness,
                          MatrixX& damping);

}  // namespace lithe::detail
