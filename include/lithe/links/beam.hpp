#pragma once
// Beams by finite elements: bending in one or two planes, torsion, stretching; Euler-Bernoulli or Timoshenko; uniform,
// stepped or tapered; straight or a polyline; with masses anywhere.

#include <vector>

#include "lithe/links/elastic_model.hpp"
#include "lithe/links/section.hpp"

namespace lithe {

/// The section at distance `at` along the axis. Between stations all quantities vary linearly; two stations at the same
/// place make a step.
struct SectionStation {
  double at = 0.0;  ///< m
  Section section;
};

/// A rigid lump on the beam (payload, motor, flange).
struct BeamMass {
  double at = 0.0;              ///< m along the axis
  double mass = 0.0;            ///< kg
  Vec3 offset = Vec3::Zero();   ///< of its mass centre from the axis, link axes (m)
  Mat3 inertia = Mat3::Zero();  ///< about its mass centre, link axes (kg m^2)
};

struct BeamFrame {
  std::string name;
  double at = 0.0;  ///< m along the axis
  Pose offset;      ///< from the axis point, link axes
};

struct BeamSpec {
  std::vector<Vec3> axis{Vec3::Zero(), Vec3::UnitX()};  ///< corners of the axis, first one at the link origin (m)
  Vec3 section_y = Vec3::UnitY();  ///< direction of the section's y axis, made perpendicular to each piece
  std::vector<SectionStation> stations;
  int elements = 8;  ///< per piece of the axis
  bool bends_along_y = true, bends_along_z = false, twists = false, stretches = false;
  std::vector<BeamMass> masses;
  std::vector<BeamFrame> frames;  ///< besides "root" and "tip", which are always there
};

/// Which motions of a node are held.
struct BeamSupport {
  double at = 0.0;  ///< m along the axis; the nearest node
  bool displacement = true;
  bool rotation = true;
};

/// Ways to deform.
struct BeamWays {
  bool bends_along_y = false, bends_along_z = false, twists = false, stretches = false;
};

/// Throws MechanismError naming `link` for zero length, negative stiffness, too few elements, lumps off the beam.
ElasticModel beam_model(const std::string& link, const BeamSpec& spec, const std::vector<BeamSupport>& supports);

/// The same, and the whole of it (ElasticModel::whole) also deforms in the `known` ways, for which the sections must
/// have stiffness: statics uses them.
ElasticModel beam_model(const std::string& link, const BeamSpec& spec, const std::vector<BeamSupport>& supports,
                        const BeamWays& known);

}  // namespace lithe
