#include "case.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace bench {

using Eigen::Vector3d;

int coordinate_count(Kind kind) { return kind == Kind::ball ? 4 : 1; }
int speed_count(Kind kind) { return kind == Kind::ball ? 3 : 1; }

Case chain(int links) {
  Case result;
  result.name = std::to_string(links) + "R chain";
  result.gravity = {0.0, 0.0, -9.81};
  result.start = Eigen::VectorXd::Zero(links);
  result.spread = 1.5;
  for (int i = 0; i < links; ++i) {
    Body body;
    body.parent = i - 1;
    body.axis = i % 2 == 0 ? Vector3d::UnitZ() : Vector3d::UnitY();
    body.offset = i == 0 ? Vector3d::Zero() : Vector3d(0.4, 0.0, 0.0);
    body.centre = {0.2, 0.0, 0.0};
    body.inertia = {1e-3, 0.0138, 0.0138};
    body.motor = true;
    result.bodies.push_back(body);
  }
  return result;
}

Case planar_3rrr() {
  Case result;
  result.name = "3-RRR";
  result.gravity = {0.0, -9.81, 0.0};
  result.spread = 0.3;

  const Vector3d pivots[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, std::sqrt(0.75), 0.0}};
  const double pi = 3.141592653589793;
  const double cranks[] = {pi / 3.0, 4.0 * pi / 3.0, 11.0 * pi / 6.0};
  const double rods[] = {-0.865071873193253, -2.102096563968119, -0.975872292585193};

  Body crank, rod, platform;
  crank.mass = 3.0;
  crank.centre = {0.2, 0.0, 0.0};
  crank.inertia = {1e-3, 0.04, 0.04};
  crank.motor = true;
  rod.mass = 4.0;
  rod.offset = {0.4, 0.0, 0.0};
  rod.centre = {0.3, 0.0, 0.0};
  rod.inertia = {1e-3, 0.12, 0.12};
  // Origin at the joint of leg I, x-axis along the side to the joint of leg II.
  platform.mass = 8.0;
  platform.offset = {0.6, 0.0, 0.0};
  platform.centre = {0.2, 0.2 / std::sqrt(3.0), 0.0};
  platform.inertia = {0.05, 0.05, 0.0817};
  const Vector3d corners[] = {{0.0, 0.0, 0.0}, {0.4, 0.0, 0.0}, {0.2, 0.2 * std::sqrt(3.0), 0.0}};

  result.start.resize(7);
  int coordinate = 0;
  for (int leg = 0; leg < 3; ++leg) {
    crank.parent = -1;
    crank.offset = pivots[leg];
    result.start[coordinate++] = cranks[leg];
    result.bodies.push_back(crank);
    rod.parent = static_cast<int>(result.bodies.size()) - 1;
    result.start[coordinate++] = rods[leg];
    result.bodies.push_back(rod);
    if (leg == 0) {
      platform.parent = static_cast<int>(result.bodies.size()) - 1;
      result.start[coordinate++] = 3.915529220171940 - cranks[0] - rods[0];
      result.bodies.push_back(platform);
    } else {
      Pin pin;
      pin.a = static_cast<int>(result.bodies.size()) - 1;
      pin.b = 2;
      pin.point_a = {0.6, 0.0, 0.0};
      pin.point_b = corners[leg];
      pin.planar = true;
      result.pins.push_back(pin);
    }
  }
  return result;
}

Case hexapod() {
  Case result;
  result.name = "6-UPS";
  result.gravity = {0.0, 0.0, -9.81};
  result.spread = 0.05;

  const double third = 2.0 * 3.141592653589793 / 3.0;
  const Eigen::Quaterniond turn = Eigen::AngleAxisd(0.1, Vector3d::UnitZ()) *
                                  Eigen::AngleAxisd(0.15, Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(-0.08, Vector3d::UnitX());
  const Vector3d centre(0.05, -0.03, 0.8);
  Vector3d first_corner = Vector3d::Zero();

  Body fork, cylinder, rod, platform;
  fork.axis = Vector3d::UnitX();
  fork.mass = 0.1;
  fork.inertia = {0.002, 0.002, 0.0001};
  cylinder.axis = Vector3d::UnitY();
  cylinder.mass = 2.0;
  cylinder.centre = {0.0, 0.0, 0.2};
  cylinder.inertia = {0.02, 0.02, 0.001};
  rod.kind = Kind::prismatic;
  rod.mass = 1.5;
  rod.centre = {0.0, 0.0, -0.2};
  rod.inertia = {0.015, 0.015, 0.0008};
  rod.motor = true;
  platform.kind = Kind::ball;
  platform.mass = 10.0;
  platform.inertia = {0.3, 0.35, 0.6};

  result.start.resize(6 * 3 + 4);
  int coordinate = 0;
  for (int leg = 0; leg < 6; ++leg) {
    const double side = leg % 2 == 0 ? -1.0 : 1.0;
    const double a = (leg / 2) * third + 0.25 * side, b = (leg / 2) * third + side * (third / 2.0) - 0.2 * side;
    const Vector3d base(0.6 * std::cos(a), 0.6 * std::sin(a), 0.0);
    const Vector3d corner(0.3 * std::cos(b), 0.3 * std::sin(b), 0.02 * leg);
    const Vector3d strut = centre + turn * corner - base;
    const double length = strut.norm(), about_x = std::atan2(-strut.y(), strut.z()),
                 about_y = std::asin(strut.x() / length);

    fork.offset = base;
    const int root = static_cast<int>(result.bodies.size());
    cylinder.parent = root;
    rod.parent = root + 1;
    result.bodies.push_back(fork);
    result.bodies.push_back(cylinder);
    result.bodies.push_back(rod);
    result.start.segment<3>(coordinate) << about_x, about_y, length;
    coordinate += 3;
    if (leg == 0) {
      first_corner = corner;
      platform.parent = root + 2;
      platform.centre = -corner;
      const Eigen::Quaterniond ball = Eigen::Quaterniond(Eigen::AngleAxisd(about_x, Vector3d::UnitX()) *
                                                         Eigen::AngleAxisd(about_y, Vector3d::UnitY()))
                                          .conjugate() *
                                      turn;
      result.start.segment<4>(coordinate) << ball.w(), ball.x(), ball.y(), ball.z();
      coordinate += 4;
      result.bodies.push_back(platform);
    } else {
      Pin pin;
      pin.a = root + 2;
      pin.b = 3;
      pin.point_b = corner - first_corner;
      result.pins.push_back(pin);
    }
  }
  return result;
}

}  // namespace bench
