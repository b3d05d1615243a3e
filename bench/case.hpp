#pragma once
// Mechanisms to be timed, described so plainly that every engine can build them. C++17: Simbody's headers need it.
//
// A tree of bodies, each hung on its parent by one joint; body axes are aligned with the parent's at zero coordinates
// and the body origin lies on the joint. Pins close loops. Lengths in m, masses in kg.

#include <Eigen/Core>
#include <string>
#include <vector>

namespace bench {

enum class Kind { revolute, prismatic, ball };

struct Body {
  int parent = -1;  ///< index of a body, or -1 for the ground
  Kind kind = Kind::revolute;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the joint, in parent axes
  double mass = 1.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< in body axes, from the body origin
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  ///< principal moments about the mass centre, along body axes
  bool motor = false;
};

/// Holds a point of one body on a point of another; `planar`: about a common z-axis, else as a ball joint.
struct Pin {
  int a = 0, b = 0;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();
  bool planar = false;
};

struct Case {
  std::string name;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  std::vector<Body> bodies;
  std::vector<Pin> pins;
  Eigen::VectorXd start;  ///< coordinates close to an assembled pose; a ball joint has a quaternion w, x, y, z
  double spread = 0.0;    ///< random states move the motors by at most this from `start`, rad or m
};

/// Coordinates of a body's joint: 1, or 4 for a ball. Speeds: 1, or 3 (angular velocity in body axes).
int coordinate_count(Kind kind);
int speed_count(Kind kind);

/// One instant. Lengths: coordinates; speeds; speeds; speeds.
struct Motion {
  Eigen::VectorXd q, v, a, tau;
};

/// Revolute joints about z and y in turn, links of 0.4 m along x, all joints driven.
Case chain(int links);

/// The 3-RRR of Khan et al. with their parameters, loops closed by pins at the platform.
Case planar_3rrr();

/// Six legs (two crossed revolute joints, a driven slide, a ball at the platform); section 10.5 of the reference.
Case hexapod();

}  // namespace bench
