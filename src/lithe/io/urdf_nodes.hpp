#pragma once
// Single elements of a URDF as they are written in a model file.

#include <string>

#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// [x, y, z].
Node vector_node(const Vec3& v, const Place& place);

/// The joint frame in its parent link.
Pose joint_pose(const UrdfJoint& joint);

/// The frame of a joint in a link in which the parent of the joint stands at `parent`: angles as in the URDF where the
/// place comes straight from it, otherwise a quaternion.
Node frame_node(const UrdfJoint& joint, const Pose& parent);

/// `rigid: {mass, centre, inertia}`.
Node rigid_node(const UrdfLink& link);

/// `revolute: z`, ...; a joint that is held is fixed.
Entry type_entry(const UrdfJoint& joint, bool is_held);

/// Where the joint stands, and its limits, which a model file does not have.
std::string joint_comment(const UrdfJoint& joint);

}  // namespace lithe::io
