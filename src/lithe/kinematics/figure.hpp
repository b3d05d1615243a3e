#pragma once
// When two assemblies look the same.

#include "lithe/kinematics/state.hpp"

namespace lithe::detail {

/// Places of all frames and mass centres, in ground axes. Two assemblies in which these agree are one: quaternions of
/// either sign, angles counted with other turns, a rod that is turned about its own axis by half a turn.
std::vector<Vec3> figure_of(const Plan& plan, Workspace& work, const VectorX& q);

bool same_figure(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double length);

/// Size of the coordinates of a joint (rad, or characteristic lengths), wherever it stands: `cut_q` from
/// cut_coordinates().
double distance_from_neutral(const Plan& plan, const VectorX& q, const VectorX& cut_q, std::size_t joint);

/// Angles of revolute and universal joints in the tree, counted with the turns that bring them nearest to `near`.
void count_turns(const Plan& plan, const VectorX& near, VectorX& q);

}  // namespace lithe::detail
