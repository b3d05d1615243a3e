#pragma once
// What the engine knows of a link. Every kind of link (rigid, beam, truss, imported) is reduced to this.

#include <array>
#include <string>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

using Matrix3X = Eigen::Matrix3Xd;

/// A named place on a link. Joints, loads, springs and sensors attach to frames. On an elastic link with elastic
/// coordinates eta the frame origin moves by shape * eta - 1/2 eta^T foreshortening[a] eta (component a) and the frame
/// turns by the rotation vector turn * eta.
struct Frame {
  std::string name;
  Pose pose;  ///< undeformed, in the axes of the link, from the link origin (m)

  // Elastic links only; empty or with one column (row) per elastic coordinate.
  Matrix3X shape;                         ///< displacement per coordinate, link axes
  Matrix3X turn;                          ///< rotation per coordinate (rad), link axes
  std::array<MatrixX, 3> foreshortening;  ///< second-order displacement, per axis; empty when stiffening is off
};

/// The elastic part of a link: n coordinates eta, displacement field d(x) = Phi(x) eta in link axes. Integrals over the
/// mass of the link; indices a, b run over the link axes.
struct ElasticData {
  std::vector<std::string> names;  ///< what each coordinate is: "bending y 1", "torsion 1", "node 7 y", ...
  VectorX frequencies;             ///< rad/s of the link by itself on its supports; zero where not a mode
  MatrixX mass;                    ///< M_e = int Phi^T Phi (+ rotary inertia)
  MatrixX stiffness;               ///< K_e (N/m per unit of the coordinates)
  MatrixX damping;                 ///< D_e

  Matrix3X translation;                                             ///< C_t = int Phi
  Matrix3X rotation;                                                ///< C_r = int x cross Phi (+ rotary inertia)
  std::array<std::array<Eigen::RowVectorXd, 3>, 3> position_shape;  ///< int x_a Phi_b
  std::array<std::array<MatrixX, 3>, 3> shape_shape;                ///< int Phi_a^T Phi_b

  // Geometric stiffening by second-order kinematics: int of the foreshortening matrices S_b (displacement
  // -1/2 eta^T S_b eta), alone and times x_a. Empty when stiffening is off.
  std::array<MatrixX, 3> foreshortening;
  std::array<std::array<MatrixX, 3>, 3> position_foreshortening;

  int count() const { return static_cast<int>(stiffness.rows()); }
};

/// Constants of one link, in link axes, about the link origin, undeformed.
struct LinkData {
  std::string name;
  double mass = 0.0;            ///< kg
  Vec3 centre = Vec3::Zero();   ///< mass centre (m)
  Mat3 inertia = Mat3::Zero();  ///< about the mass centre (kg m^2)
  std::vector<Frame> frames;    ///< frames[0] is always "origin" with the identity pose
  ElasticData elastic;          ///< count() == 0 for a rigid link

  LinkData() { frames.push_back({"origin", Pose{}, {}, {}, {}}); }

  /// Index of the frame called `frame`, or -1.
  int find_frame(const std::string& frame) const;
};

}  // namespace lithe
