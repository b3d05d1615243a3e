#pragma once
// The planar 3-RRR of Khan, Krovi, Saha and Angeles (2005), Table I: three legs motor-j, knee-j, ankle-j of links
// crank-j and rod-j under one platform. Base triangle 1 m, recovered from the printed initial posture; gravity along
// -Y. Crank angles count from +X, knee angles from the crank, ankle angles from the rod to the line ankle -> platform
// centre.

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "support/coordinates.hpp"

namespace lithe::testing::khan_3rrr {

inline constexpr double pi = std::numbers::pi;
inline constexpr double crank_length = 0.4, rod_length = 0.6;
inline const double platform_radius = 0.4 / std::sqrt(3.0);
/// Direction of the line ankle -> centre in platform axes, per leg.
inline constexpr std::array<double, 3> beta{pi / 6, 5 * pi / 6, -pi / 2};

inline Pose in_plane(double x, double y, double angle = 0.0) {
  return {Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Vec3(x, y, 0)};
}

inline std::string name(const std::string& part, int leg) { return part + "-" + std::to_string(leg + 1); }

/// The mechanism; the platform carries a load port "tool" at its mass centre, ground axes.
inline Mechanism mechanism(double g = 9.81) {
  Mechanism m;
  m.name = "planar 3-RRR";
  m.gravity = Vec3(0, -g, 0);
  const std::array<Vec3, 3> base{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, std::sqrt(0.75), 0)};

  LinkData platform;
  platform.name = "platform";
  platform.mass = 8.0;
  platform.inertia = Vec3(0.0817 / 2, 0.0817 / 2, 0.0817).asDiagonal();
  const int platform_link = m.add_link(platform);

  for (int j = 0; j < 3; ++j) {
    LinkData crank, rod;
    crank.name = name("crank", j);
    crank.mass = 3.0;
    crank.centre = Vec3(crank_length / 2, 0, 0);
    crank.inertia = Vec3(0.001, 0.04, 0.04).asDiagonal();
    rod.name = name("rod", j);
    rod.mass = 4.0;
    rod.centre = Vec3(rod_length / 2, 0, 0);
    rod.inertia = Vec3(0.001, 0.12, 0.12).asDiagonal();
    const int crank_link = m.add_link(crank), rod_link = m.add_link(rod);

    const Vec3 a = base[j];
    const double b = beta[j];
    Joint motor, knee, ankle;
    motor.name = name("motor", j);
    motor.from = m.add_frame(0, name("o", j), in_plane(a.x(), a.y()));
    motor.to = {crank_link, 0};
    motor.actuated = {true};
    knee.name = name("knee", j);
    knee.from = m.add_frame(crank_link, "tip", in_plane(crank_length, 0));
    knee.to = {rod_link, 0};
    ankle.name = name("ankle", j);
    ankle.from = m.add_frame(rod_link, "tip", in_plane(rod_length, 0));
    ankle.to = m.add_frame(platform_link, name("p", j),
                           in_plane(-platform_radius * std::cos(b), -platform_radius * std::sin(b), b));
    m.add_joint(motor);
    m.add_joint(knee);
    m.add_joint(ankle);
  }
  m.loads.push_back({"tool", {platform_link, 0}, false});
  return m;
}

/// Actuated angles, rates and accelerations, ordered by leg (rad, s).
struct Motion {
  Vec3 angle, rate, acceleration;
};

/// The prescribed cycloidal motion of section 5.2 of the paper, 0 <= t <= period.
inline Motion motion(double t, double period = 3.0) {
  const double w = 2 * pi / period;
  const double s = w * t - std::sin(w * t), sd = w * (1 - std::cos(w * t)), sdd = w * w * std::sin(w * t);
  const Vec3 start(pi / 3, 4 * pi / 3, 11 * pi / 6), share(1.0 / 6, -1.0 / 6, 1.0 / 12);
  return {start + share * s, share * sd, share * sdd};
}

/// Closure-consistent posture at t = 0: knee and ankle angles whose rounding is printed in the paper.
inline constexpr std::array<double, 3> initial_knee{-0.865071873193253, -2.102096563968119, -0.975872292585193};
inline constexpr std::array<double, 3> initial_ankle{-2.026182989412691, -1.836355849834423, -2.438981345619050};
inline constexpr std::array<double, 3> initial_platform{0.727752080472451, 0.232711164712468, 3.915529220171940};

/// Sets actuated angles by leg in q.
inline void set_motors(const Plan& plan, const Vec3& angle, VectorX& q) {
  for (int j = 0; j < 3; ++j) set_coordinate(plan, name("motor", j), angle[j], q);
}

/// Sets actuated rates or accelerations by leg in v.
inline void set_motor_speeds(const Plan& plan, const Vec3& rate, VectorX& v) {
  for (int j = 0; j < 3; ++j) set_speed(plan, name("motor", j), rate[j], v);
}

/// Coordinates of the closure-consistent initial posture, also for a plan in cartesian coordinates.
inline VectorX initial_posture(const Plan& plan) {
  VectorX q = plan.neutral();
  set_motors(plan, motion(0).angle, q);
  for (int j = 0; j < 3; ++j) {
    set_coordinate(plan, name("knee", j), initial_knee[j], q);
    set_coordinate(plan, name("ankle", j), initial_ankle[j], q);
  }
  const int hung = plan.mechanism().find_joint("platform.free");
  if (hung >= 0) {
    const double half = initial_platform[2] / 2;
    VectorX pose(plan.places()[hung].nq);
    if (pose.size() == 3) {
      pose << initial_platform[0], initial_platform[1], initial_platform[2];
    } else {
      pose << initial_platform[0], initial_platform[1], 0, std::cos(half), 0, 0, std::sin(half);
    }
    set_coordinates(plan, "platform.free", pose, q);
  }
  return q;
}

}  // namespace lithe::testing::khan_3rrr
