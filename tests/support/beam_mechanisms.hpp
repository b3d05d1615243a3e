#pragma once
// Small mechanisms of uniform beams for tests: a beam on a joint, chains of beams.

#include "lithe/links/modes.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/beams.hpp"

namespace lithe::testing {

struct UniformBeam {
  double length = 1.0, bending = 1.0, mass_per_length = 1.0;  ///< m, N m^2, kg/m
  int elements = 8, modes = 0;                                ///< modes 0: all finite-element coordinates
  bool in_space = false, stiffening = true;
  double tip_mass = 0.0;
};

inline LinkData beam_link(const std::string& name, const UniformBeam& beam) {
  BeamSpec spec = uniform_beam(beam.length, beam.bending, beam.mass_per_length, beam.elements, beam.in_space);
  if (beam.tip_mass > 0) spec.masses.push_back({beam.length, beam.tip_mass, Vec3::Zero(), Mat3::Zero()});
  const ElasticModel model = beam_model(name, spec, {{0.0, true, true}});
  const Reduction reduction = beam.modes > 0 ? link_modes(name, model, {{}, beam.modes, 0}) : all_coordinates(model);
  return reduced_link(name, model, reduction, beam.stiffening);
}

/// One beam whose root hangs on a joint of the given type at the ground origin.
inline Mechanism beam_on_joint(JointType type, const UniformBeam& beam) {
  Mechanism mechanism;
  mechanism.add_link(beam_link("beam", beam));
  Joint joint;
  joint.name = "root";
  joint.type = type;
  joint.axis = Vec3::UnitZ();
  joint.from = {0, 0};
  joint.to = mechanism.find_frame("beam", "root");
  if (type == JointType::revolute) joint.actuated = {true};
  mechanism.add_joint(joint);
  mechanism.loads.push_back({"tip", mechanism.find_frame("beam", "tip"), false});
  return mechanism;
}

}  // namespace lithe::testing
