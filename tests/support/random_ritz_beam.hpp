#pragma once
// Random beams in global shapes: assumed modes and Bezier beams, with tapered and stepped sections, lumps and frames,
// along any direction.

#include <cstdint>

#include "lithe/links/assumed_modes.hpp"
#include "lithe/links/bezier_beam.hpp"

namespace lithe::testing {

/// Same seed, same beam.
StraightBeam random_straight_beam(std::uint32_t seed);

/// One to four shapes of random families, and polynomials that respect a clamped root, in one to four ways of
/// deforming.
AssumedModesSpec random_assumed_modes(std::uint32_t seed);

/// Degree 3 to 8, any root and tip condition, with independent or eliminated shear.
BezierBeamSpec random_bezier_beam(std::uint32_t seed);

}  // namespace lithe::testing
