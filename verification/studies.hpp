#pragma once
// What the verification pages show. Every study runs the library and returns numbers; tests/verification holds them
// against theory, the program `lithe-verification` draws them.

#include "chart.hpp"

namespace lithe::verification {

// Links (docs/verification/links.md). Expected values: closed forms and the recorded answers of tests/oracles.
Chart beam_mesh();      ///< relative error of clamped frequencies over elements
Chart beam_buckling();  ///< relative error of Euler's loads over elements
Chart truss_boom();     ///< first frequency of a truss over its bays, against the beam that it approaches
Chart global_shapes();  ///< frequency error over the number of global shapes: Bezier and assumed modes
Chart spinning_beam();  ///< first frequencies over the spin, with and without stiffening
Chart static_shapes();  ///< tip compliance over the number of shapes, with and without static correction
Chart craig_bampton();  ///< frequency error over fixed-interface modes
Chart calculix_tube();  ///< tapered tube: difference from a solid model over elements

std::vector<Chart> link_charts();

// Mechanisms (docs/verification/flexible.md): examples/flexible-3rrr.yaml and flexible-four-bar.yaml.
Chart assembled_elements();  ///< error of assembled frequencies over elements
Chart assembled_modes();     ///< error of assembled frequencies over the modes of each link
Chart four_bar_peaks();      ///< error of the largest deflection in a run, over modes and elements
Chart robot_peaks();         ///< the same of the 3-RRR over modes; takes seconds
Chart rigid_limit();         ///< distance from the rigid twin over the bending stiffness

std::vector<Chart> flexible_charts();

/// Natural frequencies (Hz) at rest with the motors locked: the four-bar with four modes of 16 elements a link, the
/// robot with twenty.
std::vector<double> four_bar_frequencies();
std::vector<double> robot_frequencies();

}  // namespace lithe::verification
