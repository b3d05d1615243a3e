#pragma once
// What an assembly is asked for beside closed loops: values of joints and places of links, each with its error and the
// rate of that error. A joint in the tree, a cut joint and a link are asked in the same way.

#include "lithe/kinematics/state.hpp"

namespace lithe {

struct Wish {
  enum class Kind {
    coordinate,     ///< one distance or angle of a joint
    rotation,       ///< of a spherical or free joint as a whole; rates in to-frame axes
    link_position,  ///< origin of a frame of a link, ground axes
    link_rotation   ///< axes of a frame of a link; rates in ground axes
  };
  Kind kind = Kind::coordinate;
  int index = 0;       ///< of the joint or link
  int coordinate = 0;  ///< of the joint (Kind::coordinate)
  int frame = 0;       ///< of the link; 0 is its origin
  double value = 0.0;  ///< rad or m (Kind::coordinate)
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();
  bool firm = false;  ///< without it there is no assembly: motion laws, and what a caller insists on
};

/// Scalar equations of a wish: 1 or 3.
int row_count(const Wish& wish);

/// Is equation `row` of the wish one of distances (m), rather than of angles (rad)?
bool is_distance(const Plan& plan, const Wish& wish);

/// What is there at q minus what is wished (rad or m); angles in (-pi, pi], rotations as a rotation vector.
VectorX wish_error(const Plan& plan, Workspace& work, const VectorX& q, const Wish& wish);

/// Rate of the error per tree speed, row_count(wish) x nv.
MatrixX wish_jacobian(const Plan& plan, Workspace& work, const VectorX& q, const Wish& wish);

/// Tree speeds whose coordinates the wish fixes by itself, in the order of its rows; empty for cut joints and links.
std::vector<int> tree_speeds_of(const Plan& plan, const Wish& wish);

/// Writes the wish into q where it concerns a joint of the tree.
void place_wish(const Plan& plan, const Wish& wish, VectorX& q);

}  // namespace lithe
