#pragma once
// Mass, mass centre and inertia of the shapes (<geom>) of an MJCF.

#include <optional>

#include "lithe/io/mjcf_values.hpp"

namespace lithe::io {

struct MjcfMass {
  double mass = 0.0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about the centre
};

/// In the axes of its body. Nothing after a complaint; no mass where a shape has none.
std::optional<MjcfMass> mass_of_shape(const TiXmlElement& geom, const std::string& childclass, const std::string& where,
                                      MjcfValues& values, UrdfSource& source);

/// Both together.
MjcfMass joined(const MjcfMass& a, const MjcfMass& b);

}  // namespace lithe::io
