#pragma once
// A mechanism: links and joints in any graph, with springs, loads and gravity. Plain data, checked once.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "lithe/errors.hpp"
#include "lithe/links/link_data.hpp"
#include "lithe/mechanism/element.hpp"
#include "lithe/mechanism/joint.hpp"

namespace lithe {

/// Pulls two frame origins together: force = stiffness (length - rest) + damping (rate of length), along the line.
struct PointSpring {
  std::string name;
  FrameRef a, b;
  double stiffness = 0.0;  ///< N/m
  double damping = 0.0;    ///< N s/m
  double rest = 0.0;       ///< m
};

/// A place where a force and a moment act. Their values at an instant are given to each evaluation (see Actions).
struct LoadPort {
  std::string name;
  FrameRef at;
  bool in_frame_axes = false;  ///< false: components in ground axes
  bool of_element = false;     ///< a Plan adds one for every frame of an element that is not on the ground
};

/// Ties scalar coordinates of joints together: sum of factor times coordinate = offset. A gear, a screw, a rack, a belt.
struct Coupling {
  struct Term {
    CoordinateRef coordinate;
    double factor = 1.0;  ///< makes all terms angles, or all of them distances
  };
  std::string name;
  std::vector<Term> terms;
  double offset = 0.0;
};

/// Where a load lies on one link: a stretch of its axis, distances from the root (m).
struct AxisStretch {
  double from = 0.0, to = 0.0;
};
/// The same on a rigid link: a straight line between two points of its axes (m).
struct StraightLine {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
};

/// A force per length along one link, or along links that follow each other (the pieces of a beam in segments). From
/// its start to its end it changes linearly with the distance; the values at both ends (N/m) are given to each
/// evaluation (see Actions). A load in link axes turns with the body frame of the link, not with the local slope.
struct LineLoad {
  struct Part {
    int link = 0;
    std::variant<AxisStretch, StraightLine> line;
  };
  std::string name;
  std::vector<Part> parts;    ///< from the start to the end
  bool in_link_axes = false;  ///< false: components in ground axes
};

struct Mechanism {
  std::string name;
  Vec3 gravity = Vec3::Zero();  ///< m/s^2, ground axes
  std::vector<LinkData> links;  ///< links[0] is "ground"
  std::vector<Joint> joints;
  std::vector<PointSpring> springs;
  std::vector<LoadPort> loads;
  std::vector<LineLoad> line_loads;
  std::vector<Coupling> couplings;
  std::vector<std::shared_ptr<const Element>> elements;  ///< shared by copies; they never change

  Mechanism();
  Mechanism(const Mechanism&);
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(const Mechanism&);
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  int find_link(const std::string& link) const;                                  ///< index or -1
  int find_joint(const std::string& joint) const;                                ///< index or -1
  FrameRef find_frame(const std::string& link, const std::string& frame) const;  ///< throws MechanismError

  /// Adds a link and returns its index; adds a frame to a link and returns its reference. For building in C++. On an
  /// elastic link the new frame stands still in the body frame; frames that move come with the LinkData.
  int add_link(LinkData link);
  FrameRef add_frame(int link, const std::string& frame, const Pose& pose);
  int add_joint(Joint joint);

  /// Throws MechanismError for bad indices, axes that are not unit vectors, negative mass, inertia that is not
  /// positive semidefinite or breaks the triangle inequality, links that no joint reaches, doubled names, or line loads
  /// that do not lie on their links.
  void validate() const;
};

}  // namespace lithe
