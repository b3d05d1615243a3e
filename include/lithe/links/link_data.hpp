#pragma once
// What the engine knows of a link. Every kind of link (rigid, beam, truss, imported) is reduced to this.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "lithe/links/axis.hpp"
#include "lithe/links/section.hpp"
#include "lithe/links/stress_section.hpp"
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

  /// In a static twin (LinkData::statics), what its shapes do not hold: turn (rad) and displacement (m) of this frame
  /// per unit of moment (N m) and force (N) on it alone, 6 x 6, link axes. Empty: they hold all of it.
  MatrixX residual{};
};

/// How axial forces change the bending stiffness of a link.
enum class Stiffening : unsigned char {
  off,         ///< not at all (spin then softens)
  consistent,  ///< second-order foreshortening in the kinematics: every load stiffens or softens by itself
  stress       ///< the sources' way: geometric stiffness times the axial force of the rigid-body motion
};

/// Section forces at one place of an elastic link, per unit of the elastic coordinates (stiffness part only).
struct SectionForces {
  std::string name;                               ///< "0.25 m" or the name of the bar
  Vec3 position = Vec3::Zero();                   ///< undeformed, link axes (m)
  Mat3 axes = Mat3::Identity();                   ///< columns: section x (along the axis), y, z in link axes
  Eigen::Matrix<double, 6, Eigen::Dynamic> rows;  ///< N, Q_y, Q_z (N), M_x (torsion), M_y, M_z (N m) per coordinate
  std::shared_ptr<const StressSection> stress{};  ///< of the section here; empty where only its stiffness is known
};

/// Centre lines of a link for drawing: points that move with the deformation, joined by lines.
struct Outline {
  struct Point {
    Vec3 position = Vec3::Zero();  ///< undeformed, link axes (m)
    Matrix3X shape;                ///< displacement per elastic coordinate; empty on a rigid link
  };
  struct Line {
    int from = 0, to = 0;     ///< points
    double radius = 0.0;      ///< m, of a round bar with the same section area; 0: unknown
    int section_forces = -1;  ///< the SectionForces that belongs to this line, or -1
    Profile profile{};        ///< of its section, where known
    Vec3 across{0, 0, 0};     ///< y axis of the profile, undeformed, link axes
  };
  std::vector<Point> points;
  std::vector<Line> lines;
};

/// A part of a rigid link, for pictures.
struct Solid {
  enum class Kind : unsigned char { box, cylinder, sphere };
  Kind kind = Kind::box;
  Vec3 centre = Vec3::Zero();    ///< link axes (m)
  Mat3 axes = Mat3::Identity();  ///< columns: its edges; the third is the axis of a cylinder
  Vec3 size = Vec3::Zero();      ///< along them, m: diameters of round ones; a rod of unknown thickness has zeros
};

/// The elastic part of a link: n coordinates eta, displacement field d(x) = Phi(x) eta in link axes. Integrals over the
/// mass of the link; indices a, b run over the link axes.
struct ElasticData {
  std::vector<std::string> names;  ///< what each coordinate is: "bending y 1", "torsion 1", "node 7 y", ...
  VectorX frequencies;             ///< rad/s of the link by itself on its supports; zero where not a mode
  MatrixX mass;                    ///< M_e = int Phi^T Phi (+ rotary inertia)
  MatrixX stiffness;               ///< K_e (N/m per unit of the coordinates)
  MatrixX damping;                 ///< D_e
  Stiffening stiffening = Stiffening::off;

  Matrix3X translation;                                             ///< C_t = int Phi
  Matrix3X rotation;                                                ///< C_r = int x cross Phi (+ rotary inertia)
  std::array<std::array<Eigen::RowVectorXd, 3>, 3> position_shape;  ///< int x_a Phi_b
  std::array<std::array<MatrixX, 3>, 3> shape_shape;                ///< int Phi_a^T Phi_b

  // Geometric stiffening by second-order kinematics: int of the foreshortening matrices S_b (displacement
  // -1/2 eta^T S_b eta), alone and times x_a. They are also the geometric stiffness per unit of axial acceleration and
  // of spin squared; S of the tip frame is that per unit of tip tension. Empty when stiffening is off.
  std::array<MatrixX, 3> foreshortening;
  std::array<std::array<MatrixX, 3>, 3> position_foreshortening;

  /// The velocity of the foreshortening itself, which keeps the inertia positive where links bend far: M_e grows by
  /// sum_r (C_r eta)(C_r eta)^T with these symmetric matrices. Empty when stiffening is off or there are more than
  /// `most_squared` coordinates.
  std::vector<MatrixX> foreshortening_squares;
  static constexpr int most_squared = 12;

  std::vector<SectionForces> section_forces;

  // Made, copied and dropped in one file: the compiler would write all of it into every file that handles one.
  ElasticData();
  ElasticData(const ElasticData&);
  ElasticData(ElasticData&&) noexcept;
  ElasticData& operator=(const ElasticData&);
  ElasticData& operator=(ElasticData&&) noexcept;
  ~ElasticData();

  int count() const { return static_cast<int>(stiffness.rows()); }
};

/// Constants of one link, in link axes, about the link origin, undeformed.
struct LinkData {
  std::string name;
  double mass = 0.0;             ///< kg
  Vec3 centre = Vec3::Zero();    ///< mass centre (m)
  Mat3 inertia = Mat3::Zero();   ///< about the mass centre (kg m^2)
  bool accepts_inertia = false;  ///< even one that no body can have, as some robot descriptions do
  std::vector<Frame> frames;     ///< frames[0] is always "origin" with the identity pose
  ElasticData elastic;           ///< count() == 0 for a rigid link
  Outline outline;               ///< for pictures; may be empty
  std::vector<Solid> solids;     ///< for pictures: what a rigid link was put together from
  Axis axis;                     ///< of a beam, for loads along it; length 0: none

  /// What the link does statically beyond its elastic coordinates: the same link with further coordinates behind those,
  /// in which loads on its frames, its weight and loads along its axis deform it exactly as its whole finite-element
  /// model. The dynamics does not know them; see static_twin(). Empty: the elastic coordinates say it all.
  std::shared_ptr<const LinkData> statics;

  LinkData();
  LinkData(const LinkData&);
  LinkData(LinkData&&) noexcept;
  LinkData& operator=(const LinkData&);
  LinkData& operator=(LinkData&&) noexcept;
  ~LinkData();

  /// Index of the frame called `frame`, or -1.
  int find_frame(const std::string& frame) const;
};

/// The same link without its elastic coordinates: what the rigid-twin inverse dynamics uses.
LinkData rigid_twin(const LinkData& link);

/// The same link with its residual flexibility as further elastic coordinates: what statics and compliance use.
LinkData static_twin(const LinkData& link);

}  // namespace lithe
