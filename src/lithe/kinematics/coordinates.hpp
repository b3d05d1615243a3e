#pragma once
// Arithmetic of coordinate vectors with quaternions, and coordinates of a joint from the poses of its frames.

#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

/// q <- q (+) step (length nv): scalars add, quaternions turn by the rotation vector in to-frame axes.
void add_step(const Compiled& plan, const VectorX& step, VectorX& q);

/// step such that from (+) step = to.
void step_between(const Compiled& plan, const VectorX& from, const VectorX& to, VectorX& step);

/// Writes position_count(joint.type) coordinates of a joint whose to-frame stands at `relative` in its from-frame.
/// Angles come out in (-pi, pi]. Directions that the joint does not allow are ignored.
void coordinates_from_pose(const Joint& joint, const Pose& relative, double* q);

/// Pose of the to-frame in the from-frame at the given coordinates.
Pose pose_from_coordinates(const Joint& joint, const double* q);

}  // namespace lithe::detail
