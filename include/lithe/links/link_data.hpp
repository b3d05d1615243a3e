#pragma once
// What the engine knows of a link. Every kind of link (rigid, beam, truss, imported) is reduced to this.

#include <string>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

/// A named place on a link. Joints, loads, springs and sensors attach to frames.
struct Frame {
  std::string name;
  Pose pose;  ///< in the axes of the link, from the link origin (m)
};

/// Constants of one link, in link axes, about the link origin.
struct LinkData {
  std::string name;
  double mass = 0.0;            ///< kg
  Vec3 centre = Vec3::Zero();   ///< mass centre (m)
  Mat3 inertia = Mat3::Zero();  ///< about the mass centre (kg m^2)
  std::vector<Frame> frames;    ///< frames[0] is always "origin" with the identity pose

  LinkData() { frames.push_back({"origin", Pose{}}); }

  /// Index of the frame called `frame`, or -1.
  int find_frame(const std::string& frame) const;
};

}  // namespace lithe
