#pragma once
// What a URDF or an MJCF says, checked, with the place of every element. SI units.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lithe/io/diagnostics.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::io {

/// An <origin>.
struct UrdfOrigin {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  std::optional<Vec3> rpy = Vec3(Vec3::Zero());  ///< as written, about fixed x, then y, then z; nothing: a quaternion

  Pose pose() const { return {rotation, position}; }
};

/// A shape of a link in pictures.
struct UrdfVisual {
  Place place;
  UrdfOrigin origin;
  std::string shape;          ///< box, cylinder, sphere or mesh
  std::vector<double> sizes;  ///< edges; radius and length; radius (m)
  std::string file;           ///< of a mesh
  Vec3 scale = Vec3::Ones();
  std::string colour;  ///< #rrggbb, or empty
};

struct UrdfLink {
  std::string name;
  Place place, inertial_place;  ///< the second where there is an inertial
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();     ///< mass centre in link axes
  Mat3 inertia = Mat3::Zero();    ///< about the mass centre, in link axes (the inertial frame's turn is applied)
  double inertia_rounding = 0.0;  ///< what the digits of the six numbers leave open, all together (kg m^2)
  bool accepts_inertia = false;   ///< an impossible one, on purpose
  bool has_inertial = false;
  std::vector<UrdfVisual> visuals;
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar, spherical };
  struct Limits {
    std::optional<double> lower, upper, effort, velocity;
  };
  std::string name, parent, child;
  Place place;
  Type type = Type::fixed;
  UrdfOrigin origin;          ///< joint frame in the parent
  Vec3 axis = Vec3::UnitX();  ///< in the joint frame, not normalised
  double damping = 0.0, friction = 0.0;
  double stiffness = 0.0, rest = 0.0;  ///< of a spring at the joint (MJCF)
  double armature = 0.0;               ///< inertia of the rotor at the joint (MJCF)
  std::optional<Limits> limits;
  std::string mimics;  ///< name of the other joint, or empty
  double mimic_factor = 1.0, mimic_offset = 0.0;
  bool has_controller = false;  ///< safety_controller or calibration
  bool is_dependent = false;    ///< URDF+: independent="false"
};

/// A joint that closes a loop: <loop> of URDF+, <loop_joint> of Drake and Isaac Sim.
struct UrdfLoop {
  struct End {
    std::string link;
    UrdfOrigin origin;  ///< joint frame in the link
  };
  std::string name;
  Place place;
  UrdfJoint::Type type = UrdfJoint::Type::fixed;
  std::array<End, 2> ends;
  Vec3 axis = Vec3::UnitX();  ///< in the joint frames, not normalised
};

/// joint = factor of + offset; without `of` it is held there.
struct UrdfTie {
  std::string name;
  Place place;
  std::string joint, of;
  double factor = 1.0, offset = 0.0;
};

/// <coupling> of URDF+: successor = ratio (predecessor), each the sum of the joints from the last link that carries
/// both of them.
struct UrdfRatio {
  std::string name, predecessor, successor;  ///< links
  Place place;
  double ratio = 1.0;
};

/// Something that binds or pushes the links and that the model cannot say.
struct UrdfCoupling {
  Place place;
  std::string what;    ///< "coupling 'belt'"
  std::string remedy;  ///< what to do about it
};

/// What a transmission says of motor and gear.
struct UrdfGear {
  double ratio = 1.0;  ///< radians of the rotor per radian (or metre) of the joint
  double rotor = 0.0;  ///< kg m^2

  bool says_something() const { return ratio != 1.0 || rotor != 0.0; }
};

struct UrdfRobot {
  std::string format = "URDF";  ///< or MJCF: what messages call the file
  std::string name;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);
  Place place;
  std::vector<UrdfLink> links;    ///< in the order of the file
  std::vector<UrdfJoint> joints;  ///< likewise
  std::vector<UrdfLoop> loops;
  std::vector<UrdfTie> ties;
  std::vector<UrdfRatio> ratios;
  std::vector<UrdfCoupling> couplings;
  std::string root;  ///< the link without a parent
  bool has_transmissions = false;
  std::set<std::string> transmitted;      ///< joints with a transmission
  std::map<std::string, UrdfGear> gears;  ///< of those that have a motor for themselves
  std::vector<std::string> notes;         ///< what is left out or assumed, by line
};

/// Names of links or joints, in the order of the file.
template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  names.reserve(elements.size());
  for (const auto& each : elements) names.push_back(each.name);
  return names;
}

/// Rotation of fixed-axis roll, pitch, yaw.
Mat3 rotation_of_rpy(const Vec3& rpy);

/// Reads a URDF, or an MJCF, which starts with <mujoco>; complaints carry `file`, which outlives them. Nothing after complaints.
std::optional<UrdfRobot> read_robot(const std::string& text, const std::string& file, Complaints& complaints);

}  // namespace lithe::io
