// A URDF by urdfdom, which says what the values mean; the places come from the checks before it.

#include "lithe/io/urdf_robot.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Geometry>

namespace lithe::io {
namespace {

/// urdfdom writes to stderr; while this lives, what it says is kept instead.
class CapturedMessages : public console_bridge::OutputHandler {
 public:
  CapturedMessages() { console_bridge::useOutputHandler(this); }
  ~CapturedMessages() override { console_bridge::restorePreviousOutputHandler(); }
  CapturedMessages(const CapturedMessages&) = delete;
  CapturedMessages& operator=(const CapturedMessages&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level != console_bridge::CONSOLE_BRIDGE_LOG_ERROR) return;
    all_ += (all_.empty() ? "" : "; ") + text;
  }
  const std::string& all() const { return all_; }

 private:
  std::string all_;
};

Vec3 vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

void take_inertial(const urdf::Inertial& inertial, UrdfLink& link) {
  const urdf::Rotation& turn = inertial.origin.rotation;
  const Mat3 R = Eigen::Quaterniond(turn.w, turn.x, turn.y, turn.z).toRotationMatrix();
  Mat3 about_own_axes;
  about_own_axes << inertial.ixx, inertial.ixy, inertial.ixz,  //
      inertial.ixy, inertial.iyy, inertial.iyz,                //
      inertial.ixz, inertial.iyz, inertial.izz;
  link.mass = inertial.mass;
  link.centre = vector_of(inertial.origin.position);
  link.inertia = R * about_own_axes * R.transpose();
}

void take_joint(const urdf::Joint& source, UrdfJoint& joint) {
  joint.position = vector_of(source.parent_to_joint_origin_transform.position);
  joint.axis = vector_of(source.axis);
  if (source.dynamics) {
    joint.damping = source.dynamics->damping;
    joint.friction = source.dynamics->friction;
  }
  if (source.limits) {
    const urdf::JointLimits& limits = *source.limits;
    joint.limits = UrdfJoint::Limits{limits.lower, limits.upper, limits.effort, limits.velocity};
  }
  if (source.mimic) joint.mimics = source.mimic->joint_name;
  joint.has_controller = source.safety || source.calibration;
}

}  // namespace

Mat3 rotation_of_rpy(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

std::optional<UrdfRobot> read_urdf(const std::string& text, const std::string& file, Complaints& complaints) {
  std::optional<UrdfRobot> robot = check_urdf(text, file, complaints);
  if (!robot) return std::nullopt;
  CapturedMessages messages;
  urdf::ModelInterfaceSharedPtr parsed;
  std::string fault;
  try {
    parsed = urdf::parseURDF(text);
    fault = messages.all();
  } catch (const std::exception& error) {
    fault = error.what();
  }
  if (!parsed) {
    complaints.add(robot->place, "robot", fmt::format("urdfdom cannot read it: {}", fault));
    return std::nullopt;
  }
  for (UrdfLink& link : robot->links)
    if (const auto source = parsed->getLink(link.name); source && source->inertial)
      take_inertial(*source->inertial, link);
  for (UrdfJoint& joint : robot->joints)
    if (const auto source = parsed->getJoint(joint.name)) take_joint(*source, joint);
  return robot;
}

}  // namespace lithe::io
