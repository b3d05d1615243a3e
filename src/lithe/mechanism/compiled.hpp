#pragma once
// The inside of a Plan: the tree as elementary nodes, the cut joints as closures, in spatial and, where possible,
// planar arithmetic.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lithe/mechanism/line_spread.hpp"
#include "lithe/mechanism/plan.hpp"
#include "lithe/mechanism/spanning_tree.hpp"
#include "lithe/spatial/arithmetic.hpp"

namespace lithe::detail {

/// Joints with several freedoms become chains of these, with massless bodies between. An elastic link is a node of its
/// own, behind the nodes of its joint; a rigid link welded to an elastic one is a node without any speed.
enum class NodeKind : unsigned char { revolute, prismatic, spherical, elastic, fixed };

template <class S>
using LinearRows = Eigen::Matrix<typename S::Number, S::linear_size, Eigen::Dynamic>;
template <class S>
using AngularRows = Eigen::Matrix<typename S::Number, S::angular_size, Eigen::Dynamic>;

/// One elementary joint and the body beyond it. The body frame (node frame) sits in the joint: a revolute node turns
/// about, a prismatic node slides along its local z axis (planar arithmetic: plane normal, local x axis). The frame of
/// an elastic node is the link frame; its speeds are the rates of the elastic coordinates.
template <class S>
struct Node {
  NodeKind kind = NodeKind::revolute;
  bool reversed = false;  ///< spherical only: the quaternion is that of the parent in this node
  int parent = -1;        ///< node; -1: ground
  int mount = -1;         ///< the place on an elastic parent where it hangs; -1: fixed to the parent's frame
  int body = -1;          ///< elastic only: index into Tables::bodies
  int inboard = -1;       ///< elastic only: the mount at which the link itself is held, when that one moves; else -1
  int q = 0, v = 0, nv = 1;
  double sign = 1.0;  ///< planar revolute: +1 about, -1 against the plane normal
  /// Node frame in the parent node frame at zero coordinates. With a mount: in the mount, whose axes are those of the
  /// parent when undeformed; the position is then that of the undeformed mount. With an inboard mount: the place where
  /// that one must be, in the axes that the node would have.
  typename S::Rotation base_rotation = S::identity();
  typename S::Linear base_position = S::Linear::Zero();
  double armature = 0.0;  ///< revolute and prismatic only: inertia of rotors that move with the joint (kg m^2, kg)
  double mass = 0.0;
  typename S::Linear first = S::Linear::Zero();  ///< first moment of mass, node axes (kg m)
  typename S::Moment2 second{};                  ///< second moment about the node origin, node axes (kg m^2)
};

/// A place on an elastic link that moves and turns with the deformation (see Frame), in the axes of its node.
template <class S>
struct Mount {
  int body = -1, frame = 0;  ///< frame of the link
  typename S::Linear position = S::Linear::Zero();
  LinearRows<S> shape;
  AngularRows<S> turn;
  std::array<MatrixX, S::linear_size> foreshortening;  ///< empty when the link is not stiffened by it
};

/// Constants of an elastic link with n coordinates eta, in the axes of its node (see docs/theory/flexible.md).
template <class S>
struct ElasticBody {
  static constexpr int moments = S::planar ? 1 : 6;  ///< components of a second moment: xx, yy, zz, xy, xz, yz
  int node = -1, link = 0;
  int q = 0, v = 0, count = 0;
  std::vector<int> mounts;
  LinearRows<S> translation;  ///< C_t: first moment per coordinate
  AngularRows<S> rotation;    ///< C_r
  MatrixX mass, stiffness, damping;
  std::array<MatrixX, S::linear_size> foreshortening;  ///< of the first moment; empty when not stiffened
  std::vector<MatrixX> squares;                        ///< mass grows by the sum of (square eta)(square eta)^T
  std::array<MatrixX, S::angular_size> coupling;       ///< C_r grows by eta^T coupling
  Eigen::Matrix<double, moments, Eigen::Dynamic> second_linear;
  std::array<MatrixX, moments> second_quadratic;  ///< second moment grows by second_linear eta + eta^T quadratic eta
};

/// A frame fixed to a node (or to the ground: node = -1).
template <class S>
struct Anchor {
  int node = -1;
  int mount = -1;  ///< on an elastic node: the mount on which `rotation` stands; `position` is then not used
  typename S::Rotation rotation = S::identity();
  typename S::Linear position = S::Linear::Zero();
};

/// One scalar closure equation, between the from-frame 1 and the to-frame 2 of a cut joint (r from origin 1 to origin
/// 2).
struct RowSpec {
  enum class Kind : unsigned char {
    distance,  ///< axis i of frame 1 . r = 0
    dot        ///< axis i of frame 1 . axis j of frame 2 = 0
  };
  Kind kind = Kind::distance;
  int i = 0, j = 0;
};

/// One speed of a cut joint, as a projection of the relative velocity of its frames.
struct FreeSpec {
  enum class Kind : unsigned char {
    distance,  ///< along axis i of frame 1
    turn1,     ///< about axis i of frame 1
    turn2      ///< about axis i of frame 2
  };
  Kind kind = Kind::distance;
  int i = 0;
  double sign = 1.0;  ///< planar arithmetic only
};

/// A node whose motion changes the relative pose of the two frames of a cut joint.
struct PathNode {
  int node = 0;
  double sign = 1.0;  ///< +1 on the side of the to-frame, -1 on the side of the from-frame
  // Elastic nodes only: mounts where the path leaves and enters the link; entry -1 when that place does not move. On a
  // link that carries both sides of a loop, the exit is on the side of the to-frame.
  int exit = -1, entry = -1;
};

template <class S>
struct Cut {
  int joint = 0;
  Anchor<S> from, to;  ///< axes aligned with the joint: z along the axis (planar: x along a prismatic axis)
  std::vector<RowSpec> rows;
  std::vector<FreeSpec> frees;
  std::vector<PathNode> path;
  int first_row = 0, first_free = 0;
};

/// A coupling as a closure equation: sum of factor times coordinate = offset. Its Jacobian never changes.
struct Tie {
  struct Term {
    int node = 0, q = 0, v = 0;
    double factor = 1.0;  ///< times the speed scale at most 1, so that the equation is of order one as angles are
  };
  std::vector<Term> terms;
  double offset = 0.0;
  double scale = 1.0;  ///< factors of the mechanism over those here
  int row = 0;
};

/// Nodes that move together: those of loops and couplings that share speeds, or one node that is in none.
struct Cluster {
  int base = -1, mount = -1;  ///< the node, and the place on it when it is elastic, that carries all of it; -1: ground
  std::vector<int> nodes;     ///< ascending
  std::vector<int> speeds;    ///< ascending
  std::vector<int> cuts, ties, rows;  ///< closures, ascending; empty for a node by itself
};

/// Tables for one arithmetic.
template <class S>
struct Tables {
  std::vector<Node<S>> nodes;
  std::vector<Cut<S>> cuts;
  std::vector<Tie> ties;          ///< per coupling; their rows come after those of the cuts
  std::vector<Cluster> clusters;  ///< each after the one that carries it
  std::vector<ElasticBody<S>> bodies;
  std::vector<Mount<S>> mounts;
  typename S::Linear gravity = S::Linear::Zero();
  std::vector<ClosureRow> rows;
};

/// A link (its origin and axes) on its node. Kept in spatial terms for both arithmetics.
struct LinkPlace {
  int node = -1;
  Pose pose;  ///< in the spatial node frame
};

/// How a planar node frame stands in space: spatial node pose = plane axes * turn(angle) * axes^T, at constant height.
struct PlanarLift {
  Mat3 axes = Mat3::Identity();  ///< columns: planar x, y and the plane normal in the spatial node frame
  double height = 0.0;           ///< of the node origin along the plane normal (m)
};

/// A spring and damper on one scalar tree speed.
struct ScalarSpring {
  int q = 0, v = 0;
  double stiffness = 0.0, rest = 0.0, damping = 0.0;
};
/// Isotropic spring on the rotation vector of a quaternion, dampers per speed.
struct RotationSpring {
  int q = 0, v = 0;
  double stiffness = 0.0;
  Vec3 damping = Vec3::Zero();
};
/// Dampers between several speeds: -matrix v on them.
struct CoupledDampers {
  std::vector<int> speeds;
  MatrixX matrix;
};
/// Inertia of rotors on one tree speed.
struct Armature {
  int v = 0;
  double inertia = 0.0;
};
struct PassiveForces {
  std::vector<ScalarSpring> scalars;
  std::vector<RotationSpring> rotations;
  CoupledDampers coupled;
  bool empty() const { return scalars.empty() && rotations.empty() && coupled.speeds.empty(); }
};

struct Compiled {
  Mechanism mechanism;
  PlanOptions options;
  SpanningTree tree;
  std::vector<JointPlace> places;
  int nq = 0, nv = 0, cut_nq = 0, cut_nv = 0;
  int own_loads = 0;                   ///< load ports of the mechanism as given; those of elements come after them
  int joint_nv = 0;                    ///< speeds of the joints; those of the elastic coordinates come after them
  std::vector<int> quaternions;        ///< start in q of every quaternion of the tree
  std::vector<int> quaternion_speeds;  ///< and the first of its three speeds
  std::vector<std::string> speed_names, cut_speed_names, loop_names;
  std::vector<int> actuated;
  std::vector<int> preferred;  ///< speeds that shall be independent, from PlanOptions
  double length = 1.0;
  /// Per tree speed, what makes it comparable with a turn of one radian: 1 for rotations, the characteristic length for
  /// distances, the amplitude that moves a frame that far for elastic coordinates.
  VectorX speed_scale;
  std::vector<ElasticPlace> elastic;  ///< per link
  std::vector<int> stressed;          ///< links whose stiffening is Stiffening::stress
  std::vector<LineSpread> lines;      ///< line loads, link by link
  PassiveForces tree_passive;         ///< indices into State
  PassiveForces cut_passive;          ///< indices into cut coordinates and cut speeds
  std::vector<Armature> armatures;    ///< those that are not zero

  Tables<Spatial> spatial;
  std::vector<LinkPlace> links;  ///< per link of the mechanism
  std::optional<Tables<Planar>> planar;
  std::vector<PlanarLift> lifts;  ///< per node, when planar
  Vec3 plane_normal = Vec3::UnitZ();
  Mat3 plane_axes = Mat3::Identity();  ///< ground axes of the plane: columns x, y, normal

  /// Those of one arithmetic.
  template <class S>
  const Tables<S>& tables() const {
    if constexpr (S::planar)
      return *planar;
    else
      return spatial;
  }
};

/// Recognises motion parallel to a plane and builds the planar tables from the spatial ones; leaves `compiled.planar`
/// empty when the mechanism moves in space.
void reduce_to_plane(Compiled& compiled);

}  // namespace lithe::detail
