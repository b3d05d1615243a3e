#pragma once
// Single elements of a URDF as they are written in a model file.

#include <string>

#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// [x, y, z].
Node vector_node(const Vec3& v, const Place& place);

/// The frame at an origin of a link that stands at `link` in the one that carries it: angles as in the URDF where the
/// place comes straight from it, otherwise a quaternion.
Node frame_node(const UrdfOrigin& origin, const Pose& link, const Place& place);

/// `rigid: {mass, centre, inertia}`.
Node rigid_node(const UrdfLink& link);

/// `revolute: z`, ...
Entry type_entry(UrdfJoint::Type type, const Vec3& axis, const Place& place);

/// Where the joint stands, and its limits, which a model file does not have.
std::string joint_comment(const UrdfJoint& joint, const std::string& format);

/// `{stiffness, rest}`.
Node spring_node(const UrdfJoint& joint);
Node motor_node(const UrdfGear& gear, const Place& place);

}  // namespace lithe::io
