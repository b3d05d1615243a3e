#pragma once
// Joints: what they are called, how many coordinates they have, which way these point.
//
// At zero coordinates the two frames of a joint coincide. Coordinates of each type (q, then the speeds v):
//   revolute     angle about `axis`
//   prismatic    distance along `axis`
//   cylindrical  angle about `axis`, distance along `axis`
//   universal    angle about `axis` (fixed in the from-frame), then about `axis2` (fixed in the to-frame);
//   perpendicular spherical    unit quaternion w,x,y,z of the to-frame in the from-frame; v = angular velocity in
//   to-frame axes planar       distances along the first two columns of frame_with_z(axis), angle about `axis` fixed
//   none free         x,y,z in from-frame axes, then quaternion w,x,y,z;
//                v = rates of x,y,z, then angular velocity in to-frame axes

#include <string>
#include <string_view>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

enum class JointType { revolute, prismatic, cylindrical, universal, spherical, planar, fixed, free };

inline constexpr JointType all_joint_types[] = {JointType::revolute,  JointType::prismatic, JointType::cylindrical,
                                                JointType::universal, JointType::spherical, JointType::planar,
                                                JointType::fixed,     JointType::free};

std::string_view name_of(JointType type);
int position_count(JointType type);  ///< length of q: 1 1 2 2 4 3 0 7
int speed_count(JointType type);     ///< length of v: 1 1 2 2 3 3 0 6

/// A frame of a link of the mechanism. Link 0 is the ground.
struct FrameRef {
  int link = 0;
  int frame = 0;
  bool operator==(const FrameRef&) const = default;
};

/// Connects two frames. Generalised forces act from `from` on `to`, positive along the joint's speeds.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  FrameRef from, to;
  Vec3 axis = Vec3::UnitZ();   ///< unit vector in from-frame axes
  Vec3 axis2 = Vec3::UnitY();  ///< universal joints only: unit vector in to-frame axes, perpendicular to `axis`
  bool cut = false;            ///< the user wants the loop opened here

  // Per speed, empty or of length speed_count(type).
  std::vector<bool> actuated;     ///< has a motor
  std::vector<double> stiffness;  ///< N m/rad or N/m; spherical and free rotation: isotropic on the rotation vector
  std::vector<double> rest;       ///< spring length or angle without force (scalar coordinates only)
  std::vector<double> damping;    ///< viscous friction, N m s/rad or N s/m

  bool is_actuated() const;
};

}  // namespace lithe
