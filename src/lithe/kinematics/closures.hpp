#pragma once
// The equations of the cut joints and couplings: values, Jacobian, acceleration bias, and the cut joints' own speeds.

#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// Fills k.c, k.cuts and the Jacobians of k.loops for the stored positions.
template <class S>
void update_closures(Kernel<S>& k);

/// Fills k.c only; cheaper, for line searches.
template <class S>
void update_closure_values(Kernel<S>& k);

/// Fills k.gamma from the node motion at zero joint accelerations (update_motion with a = null) of the stored
/// positions.
template <class S>
void update_closure_bias(Kernel<S>& k);

/// Jacobian of the cut speeds, cut_nv x nv.
template <class S>
void cut_speed_jacobian(Kernel<S>& k, typename S::RowMatrix& J);

/// First and second rates of the closure rows, from the node motion. For motions that satisfy the closures both are zero.
/// `a`: the joint accelerations of that motion; null: zero.
template <class S>
void closure_rates_from_motion(Kernel<S>& k, typename S::Vector& rates);
template <class S>
void closure_accelerations_from_motion(Kernel<S>& k, const typename S::Vector* a, typename S::Vector& accelerations);

/// force += A^T multipliers, without forming A. Needs update_world().
template <class S>
void add_closure_forces(Kernel<S>& k, const VectorX& multipliers, typename S::Vector& force);

/// force += J^T tau for the cut speeds, without forming J.
template <class S>
void add_cut_forces(Kernel<S>& k, const typename S::Number* tau, typename S::Vector& force);

/// Cut speeds from the node velocities.
template <class S>
void cut_speeds_from_motion(Kernel<S>& k, typename S::Vector& speeds);

/// Cut accelerations from the node motion (velocities and accelerations).
template <class S>
void cut_accelerations_from_motion(Kernel<S>& k, typename S::Vector& accelerations);

/// Wrench on the to-link (about the to-frame origin, ground axes) per unit of a closure multiplier or of a cut speed's
/// force.
Wrench closure_wrench(const Kernel<Spatial>& k, std::size_t cut, const RowSpec& row);
Wrench free_wrench(const Kernel<Spatial>& k, std::size_t cut, const FreeSpec& free);

/// The closure to which row `row` belongs: number of a cut, or the number of cuts plus that of a coupling; see
/// Plan::closure_name().
template <class S>
int closure_of_row(const Kernel<S>& k, int row);

}  // namespace lithe::detail
