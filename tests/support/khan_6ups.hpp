#pragma once
// The spatial 6-UPS test case of the Khan reference, section 10.5: legs tilt-k (R about x), lean-k (R about y),
// stroke-k (P along z, actuated, its coordinate is the leg length) and wrist-k (spherical, or three revolutes about
// x, y, z with massless links between them). k = 0..5.

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "support/coordinates.hpp"

namespace lithe::testing::khan_6ups {

inline constexpr double pi = std::numbers::pi;

inline std::string name(const std::string& part, int leg) { return part + "-" + std::to_string(leg); }

inline Vec3 base_point(int k) {
  const double angle = (k / 2) * 2 * pi / 3 + (k % 2 == 0 ? -0.25 : 0.25);
  return 0.6 * Vec3(std::cos(angle), std::sin(angle), 0);
}

/// In platform axes, from the platform mass centre.
inline Vec3 platform_point(int k) {
  const double s = k % 2 == 0 ? -1.0 : 1.0;
  const double angle = (k / 2) * 2 * pi / 3 + s * pi / 3 - 0.2 * s;
  return Vec3(0.3 * std::cos(angle), 0.3 * std::sin(angle), 0.02 * k);
}

inline Mat3 turn(double angle, const Vec3& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

/// Pose of the platform at which the reference numbers hold.
inline Pose platform_pose() {
  return {turn(0.1, Vec3::UnitZ()) * turn(0.15, Vec3::UnitY()) * turn(-0.08, Vec3::UnitX()), Vec3(0.05, -0.03, 0.8)};
}

enum class Wrist { spherical, three_revolutes };

inline LinkData link(const std::string& link_name, double mass, const Vec3& centre, const Vec3& inertia) {
  LinkData data;
  data.name = link_name;
  data.mass = mass;
  data.centre = centre;
  data.inertia = inertia.asDiagonal();
  return data;
}

inline Mechanism mechanism(Wrist wrist = Wrist::spherical) {
  Mechanism m;
  m.name = "6-UPS";
  m.gravity = Vec3(0, 0, -9.81);
  const int platform = m.add_link(link("platform", 10.0, Vec3::Zero(), Vec3(0.3, 0.35, 0.6)));
  auto join = [&m](const std::string& joint_name, JointType type, const Vec3& axis, FrameRef from, FrameRef to) {
    Joint joint;
    joint.name = joint_name;
    joint.type = type;
    joint.axis = axis;
    joint.from = from;
    joint.to = to;
    joint.actuated.assign(type == JointType::prismatic ? 1 : 0, true);
    m.add_joint(joint);
  };
  for (int k = 0; k < 6; ++k) {
    const int yoke = m.add_link(link(name("yoke", k), 0.1, Vec3::Zero(), Vec3(0.002, 0.002, 0.0001)));
    const int barrel = m.add_link(link(name("barrel", k), 2.0, Vec3(0, 0, 0.2), Vec3(0.02, 0.02, 0.001)));
    const int rod = m.add_link(link(name("rod", k), 1.5, Vec3(0, 0, -0.2), Vec3(0.015, 0.015, 0.0008)));
    const FrameRef base = m.add_frame(0, name("b", k), Pose{Mat3::Identity(), base_point(k)});
    const FrameRef top = m.add_frame(platform, name("p", k), Pose{Mat3::Identity(), platform_point(k)});
    join(name("tilt", k), JointType::revolute, Vec3::UnitX(), base, {yoke, 0});
    join(name("lean", k), JointType::revolute, Vec3::UnitY(), {yoke, 0}, {barrel, 0});
    join(name("stroke", k), JointType::prismatic, Vec3::UnitZ(), {barrel, 0}, {rod, 0});
    if (wrist == Wrist::spherical) {
      join(name("wrist", k), JointType::spherical, Vec3::UnitZ(), {rod, 0}, top);
    } else {
      const int cross_x = m.add_link(link(name("cross-x", k), 0, Vec3::Zero(), Vec3::Zero()));
      const int cross_y = m.add_link(link(name("cross-y", k), 0, Vec3::Zero(), Vec3::Zero()));
      join(name("wrist-x", k), JointType::revolute, Vec3::UnitX(), {rod, 0}, {cross_x, 0});
      join(name("wrist-y", k), JointType::revolute, Vec3::UnitY(), {cross_x, 0}, {cross_y, 0});
      join(name("wrist-z", k), JointType::revolute, Vec3::UnitZ(), {cross_y, 0}, top);
    }
  }
  return m;
}

/// Joint values of leg k at a platform pose: tilt, lean, length, wrist x, wrist y, wrist z. Closed form.
inline std::array<double, 6> leg_values(int k, const Pose& platform = platform_pose()) {
  const Vec3 s = platform * platform_point(k) - base_point(k);
  const double length = s.norm(), tilt = std::atan2(-s.y(), s.z()), lean = std::asin(s.x() / length);
  const Mat3 r = (turn(tilt, Vec3::UnitX()) * turn(lean, Vec3::UnitY())).transpose() * platform.rotation;
  return {tilt, lean, length, std::atan2(-r(1, 2), r(2, 2)), std::asin(r(0, 2)), std::atan2(-r(0, 1), r(0, 0))};
}

/// Coordinates of all tree joints at a platform pose, also for a plan in cartesian coordinates.
inline VectorX posture(const Plan& plan, const Pose& platform = platform_pose()) {
  VectorX q = plan.neutral();
  const bool spherical = plan.mechanism().find_joint("wrist-0") >= 0;
  for (int k = 0; k < 6; ++k) {
    const auto v = leg_values(k, platform);
    set_coordinate(plan, name("tilt", k), v[0], q);
    set_coordinate(plan, name("lean", k), v[1], q);
    set_coordinate(plan, name("stroke", k), v[2], q);
    if (spherical) {
      const Quat turned(turn(v[3], Vec3::UnitX()) * turn(v[4], Vec3::UnitY()) * turn(v[5], Vec3::UnitZ()));
      set_coordinates(plan, name("wrist", k), Eigen::Vector4d(turned.w(), turned.x(), turned.y(), turned.z()), q);
    } else {
      set_coordinate(plan, name("wrist-x", k), v[3], q);
      set_coordinate(plan, name("wrist-y", k), v[4], q);
      set_coordinate(plan, name("wrist-z", k), v[5], q);
    }
  }
  if (plan.mechanism().find_joint("platform.free") >= 0) {
    const Quat turned(platform.rotation);
    VectorX pose(7);
    pose << platform.position, turned.w(), turned.x(), turned.y(), turned.z();
    set_coordinates(plan, "platform.free", pose, q);
  }
  return q;
}

}  // namespace lithe::testing::khan_6ups
