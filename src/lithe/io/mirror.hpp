#pragma once
// Values of a model file seen in a mirror.
//
// Every body is reflected at the plane y = 0 of its own axes, so that a beam still runs along its x axis. With S = diag(1, -1, 1)
// positions, forces and directions in which something slides become S v; axes of rotation, moments and angular velocities
// -S v; rotations S R S; inertias S J S. Two frames that were joined then move in each other as before: a joint with the axis
// so changed has the same coordinates. Only a distance along an axis of rotation (cylindrical) counts the other way.

#include <vector>

#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// The opposite of a number or expression.
void negate(Node& scalar);

/// [x, y, z], or an axis: x, -y, ... `axial`: it belongs to a rotation.
void mirror_vector(Node& vector, bool axial);

/// [w, x, y, z].
void mirror_quaternion(Node& quaternion);

/// `at`, `rotate`, `quaternion`, `axis` with `angle` of a frame or a pose.
void mirror_pose(Node& pose);

/// Everything below a link: bodies, frames, shapes.
void mirror_link(Node& link);

/// The axes and the rest position of a joint.
void mirror_joint(Node& joint);

/// The preload of a bushing, the normal of a contact.
void mirror_bushing(Node& bushing);
void mirror_contact(Node& contact);

/// The axis of its pins.
void mirror_cylinder(Node& cylinder);

/// Which coordinates (or speeds) of a joint in the mirror are the opposite ones, of as many as it has.
std::vector<bool> opposite_coordinates(const Node& joint, bool speeds);

}  // namespace lithe::io
