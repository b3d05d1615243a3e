#pragma once
// Trusses in the plane or in space: straight bars, joined by pins at nodes, carry axial force only.
//
// Coordinates are the displacements of the nodes in the directions that no support holds. A truss that supports hold
// has its link frame where they stand; one without supports floats until a reference condition holds it
// (reference.hpp).
//
// The frames of a truss are "origin" (the link frame itself, never moved by the deformation), every node by its name,
// and those of `TrussSpec::frames`. A pin cannot turn anything; what turns is a set of nodes: the rotation of a frame
// is that of the rigid motion that fits the motion of its set with least squares. A moment on the frame becomes forces
// on the nodes of the set in the same way. A frame on one node turns with that node and the far ends of its bars.

#include <optional>
#include <string>
#include <vector>

#include "lithe/links/elastic_model.hpp"

namespace lithe {

struct TrussNode {
  std::string name;
  Vec3 position = Vec3::Zero();  ///< link axes (m)
  double mass = 0.0;             ///< concentrated at the node, besides the mass of the bars (kg)
};

struct TrussBar {
  std::string name;  ///< empty: "FROM-TO"
  std::string from, to;
  double axial = 0.0;            ///< EA, N
  double mass_per_length = 0.0;  ///< kg/m
  double area = 0.0;             ///< m^2, for pictures and stress; 0: unknown
  Strength strength{};           ///< of its material
};

/// Directions in which a node cannot move, link axes; any length but zero. Three independent ones hold it altogether,
/// two leave it a line to slide on.
struct TrussSupport {
  std::string node;
  std::vector<Vec3> held;
};

struct TrussFrame {
  std::string name;
  std::vector<std::string> nodes;
  std::optional<Vec3> position;      ///< link axes (m); by default the middle of the nodes
  Mat3 rotation = Mat3::Identity();  ///< columns: frame axes in link axes
};

enum class TrussMass : unsigned char {
  consistent,  ///< the mass of a bar moves with its points: blocks m/3, m/6 of the mass matrix
  lumped       ///< half of it sits at each end
};

struct TrussSpec {
  std::vector<TrussNode> nodes;
  std::vector<TrussBar> bars;
  std::vector<TrussSupport> supports;
  std::vector<TrussFrame> frames;
  TrussMass mass = TrussMass::consistent;
  bool planar = false;  ///< nodes move along x and y only

  // Which end is pulled, for the geometric stiffness and the buckling load: the frame `tip`, away from the frame `root`
  // (from the link origin when there is none), which is pulled the other way. Without `tip` there is neither.
  std::string root = "root", tip = "tip";
};

/// Throws MechanismError naming `link` for unknown or doubled nodes, bars without length, doubled bars, stiffness that
/// is not positive, nodes without mass, a truss in several parts, supports that do not hold it, and for a mechanism: a
/// node that can move while no bar changes its length.
ElasticModel truss_model(const std::string& link, const TrussSpec& spec);

}  // namespace lithe
