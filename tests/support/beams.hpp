#pragma once
// Beams that several tests of links use.

#include "lithe/links/beam.hpp"

namespace lithe::testing {

/// Straight uniform beam along x from the origin, bending along y, and along z when `in_space`.
inline BeamSpec uniform_beam(double length, double bending, double mass_per_length, int elements,
                             bool in_space = false) {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(length, 0, 0)};
  Section section;
  section.bending_y = section.bending_z = bending;
  section.mass_per_length = mass_per_length;
  spec.stations = {{0.0, section}};
  spec.elements = elements;
  spec.bends_along_z = in_space;
  return spec;
}

/// The same with every way of deforming: both bendings, torsion, stretching, along any axis.
inline BeamSpec full_beam(const Vec3& end, int elements) {
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), end};
  spec.section_y = end.unitOrthogonal();
  spec.stations = {{0.0, tube({70e9, 2700, 0.33}, 0.03, 0.004)}};
  spec.elements = elements;
  spec.bends_along_y = spec.bends_along_z = spec.twists = spec.stretches = true;
  return spec;
}

}  // namespace lithe::testing
