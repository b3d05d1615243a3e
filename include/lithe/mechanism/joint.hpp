#pragma once
// Joints: what they are called, what coordinates they have, which way these point. All of it stands in one table.
//
// At zero coordinates the two frames of a joint coincide. The speeds v of each type are listed in `joint_table`; the
// coordinates q are the same distances and angles, followed by a unit quaternion w, x, y, z (the to-frame in the
// from-frame) where the table says `turn`: those three speeds are the angular velocity in to-frame axes.

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/mechanism/motor.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe {

enum class JointType { revolute, prismatic, cylindrical, universal, spherical, planar, fixed, free };

/// One speed of a joint: along or about one direction of the joint's axes. These are the columns of
/// frame_with_z(axis), so that 2 is `axis` itself; those of a frame where the joint has no axis.
struct JointSpeed {
  enum class Kind { distance, angle, turn };
  Kind kind = Kind::distance;
  int direction = 2;
  bool in_to_frame = false;  ///< fixed in the to-frame (about `axis2` if the joint has one), else in the from-frame

  constexpr bool is_distance() const { return kind == Kind::distance; }
};

/// A row of the table of joints.
struct JointFacts {
  JointType type;
  std::string_view name;
  int axes;    ///< how many a model gives: none, `axis`, or `axis` and `axis2`
  int speeds;  ///< length of v
  std::array<JointSpeed, 6> speed;

  constexpr int count(JointSpeed::Kind kind) const {
    int found = 0;
    for (int k = 0; k < speeds; ++k) found += speed[k].kind == kind ? 1 : 0;
    return found;
  }
  constexpr int distances() const { return count(JointSpeed::Kind::distance); }
  constexpr int rotations() const { return speeds - distances(); }
  constexpr bool has_quaternion() const { return count(JointSpeed::Kind::turn) > 0; }
  constexpr int scalars() const { return speeds - count(JointSpeed::Kind::turn); }  ///< the coordinates before it
  constexpr int positions() const { return scalars() + (has_quaternion() ? 4 : 0); }
  /// Whether coordinate k is a single angle (rad), a distance (m); parts of a quaternion are neither.
  constexpr bool is_angle(int k) const { return k < speeds && speed[k].kind == JointSpeed::Kind::angle; }
  constexpr bool is_distance(int k) const { return k < speeds && speed[k].is_distance(); }
};

namespace detail {
inline constexpr JointSpeed slide_x{JointSpeed::Kind::distance, 0}, slide_y{JointSpeed::Kind::distance, 1},
    slide_z{JointSpeed::Kind::distance, 2}, angle_z{JointSpeed::Kind::angle, 2},
    angle_z2{JointSpeed::Kind::angle, 2, true}, turn_x{JointSpeed::Kind::turn, 0, true},
    turn_y{JointSpeed::Kind::turn, 1, true}, turn_z{JointSpeed::Kind::turn, 2, true};
}  // namespace detail

// clang-format off
inline constexpr std::array<JointFacts, 8> joint_table{{
  // type                   name           axes speeds
  {JointType::revolute,    "revolute",    1, 1, {detail::angle_z}},
  {JointType::prismatic,   "prismatic",   1, 1, {detail::slide_z}},
  {JointType::cylindrical, "cylindrical", 1, 2, {detail::angle_z, detail::slide_z}},
  {JointType::universal,   "universal",   2, 2, {detail::angle_z, detail::angle_z2}},
  {JointType::spherical,   "spherical",   0, 3, {detail::turn_x, detail::turn_y, detail::turn_z}},
  {JointType::planar,      "planar",      1, 3, {detail::slide_x, detail::slide_y, detail::angle_z}},
  {JointType::fixed,       "fixed",       0, 0, {}},
  {JointType::free,        "free",        0, 6, {detail::slide_x, detail::slide_y, detail::slide_z,
                                                 detail::turn_x, detail::turn_y, detail::turn_z}},
}};
// clang-format on

constexpr const JointFacts& facts_of(JointType type) { return joint_table[static_cast<std::size_t>(type)]; }
constexpr std::string_view name_of(JointType type) { return facts_of(type).name; }
constexpr int position_count(JointType type) { return facts_of(type).positions(); }
constexpr int speed_count(JointType type) { return facts_of(type).speeds; }

/// A frame of a link of the mechanism. Link 0 is the ground.
struct FrameRef {
  int link = 0;
  int frame = 0;
  bool operator==(const FrameRef&) const = default;
};

/// Dry friction along one speed: while it slides it brakes with `coulomb`, at rest it holds against up to `breakaway`.
struct JointFriction {
  double coulomb = 0.0;    ///< N m or N
  double breakaway = 0.0;  ///< not less than `coulomb`
  double stribeck = 0.0;   ///< speed over which sliding friction falls from `breakaway` to `coulomb`; 0: at once
  /// Both grow by that times the force that the joint carries: friction coefficient (times the radius, m, where it
  /// turns).
  double load = 0.0;
  /// Not zero: no rest, friction grows with the speed and is full at this one (rad/s or m/s).
  double creep = 0.0;

  bool acts() const { return coulomb > 0.0 || breakaway > 0.0 || load > 0.0; }
};

/// Ends of the range of one scalar coordinate.
struct JointStop {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double stiffness = 0.0;    ///< beyond an end, N m/rad or N/m; 0: hard ends, where speeds jump
  double damping = 0.0;      ///< there, N m s/rad or N s/m; never pulls back
  double restitution = 0.0;  ///< of a hard end: speed after an impact by that before

  bool is_given() const { return std::isfinite(lower) || std::isfinite(upper); }
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
  /// Inertia that moves with the coordinate and is part of no link: rotors seen through their gears, kg m^2 or kg.
  std::vector<double> armature;
  std::vector<JointFriction> friction;
  std::vector<JointStop> stops;  ///< scalar coordinates only
  std::optional<Motor> motor;    ///< on its one actuated speed

  const JointFacts& facts() const { return facts_of(type); }
  bool is_actuated() const;
  /// Unit vector of one of its speeds, in from-frame or to-frame axes as the table says.
  Vec3 direction_of(const JointSpeed& speed) const;
};

}  // namespace lithe
