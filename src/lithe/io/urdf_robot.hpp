#pragma once
// What a URDF says, checked, with the place of every element. SI units as in URDF.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lithe/io/diagnostics.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::io {

struct UrdfLink {
  std::string name;
  Place place, inertial_place;  ///< the second where there is an inertial
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();   ///< mass centre in link axes
  Mat3 inertia = Mat3::Zero();  ///< about the mass centre, in link axes (the inertial frame's turn is applied)
  bool has_inertial = false;
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  struct Limits {
    double lower = 0.0, upper = 0.0, effort = 0.0, velocity = 0.0;
  };
  std::string name, parent, child;
  Place place;
  Type type = Type::fixed;
  Vec3 position = Vec3::Zero(), rpy = Vec3::Zero();  ///< joint frame in the parent; rpy about fixed x, then y, then z
  Vec3 axis = Vec3::UnitX();                         ///< in the joint frame, not normalised
  double damping = 0.0, friction = 0.0;
  std::optional<Limits> limits;
  std::string mimics;           ///< name of the other joint, or empty
  bool has_controller = false;  ///< safety_controller or calibration
};

struct UrdfRobot {
  std::string name;
  Place place;
  std::vector<UrdfLink> links;    ///< in the order of the file
  std::vector<UrdfJoint> joints;  ///< likewise
  std::string root;               ///< the link without a parent
  bool has_transmissions = false;
  std::set<std::string> transmitted;  ///< joints with a transmission
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

/// Reads a URDF; complaints carry `file`, which outlives them. Nothing after complaints.
std::optional<UrdfRobot> read_urdf(const std::string& text, const std::string& file, Complaints& complaints);

/// The first half of read_urdf: everything that is wrong with the text, and what only the text knows: places, order,
/// the angles as written, transmissions. Nothing after complaints.
std::optional<UrdfRobot> check_urdf(const std::string& text, const std::string& file, Complaints& complaints);

}  // namespace lithe::io
