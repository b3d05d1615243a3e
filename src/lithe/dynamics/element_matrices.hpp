#pragma once
// How stiff the machine elements of a mechanism are, for methods that treat fast forces apart from the rest.

#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

/// Adds N^T (.) N of the stiffness and damping of all elements at rest in the pose q, at the time and with the states
/// of their last evaluation. By differences of each element by itself; what would push away counts as nothing.
void add_element_matrices(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness,
                          MatrixX& damping);

}  // namespace lithe::detail
