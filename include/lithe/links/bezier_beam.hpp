#pragma once
// A Timoshenko beam whose deflection and section rotation are Bezier (Bernstein) polynomials of any degree. The
// coordinates are control values: b_i of sum b_i C(n,i) x^i (1-x)^(n-i), x = s/L.

#include "lithe/links/straight_beam.hpp"

namespace lithe {

/// What an end of the beam is kept from.
enum class BezierEnd : unsigned char {
  free,
  pinned,     ///< no deflection; at the root neither stretching nor twist
  clamped,    ///< no displacement and no rotation: the first control values are zero
  as_printed  ///< root only: the first two control values of every field are zero (Brillarelli (3.18)). Besides the
              ///< clamp this forbids a bending moment at the root, so a clamped beam comes out too stiff; right for a
              ///< root that is hinged in a frame tangent to it.
};

/// What the rotation of the sections follows.
enum class BezierShear : unsigned char {
  eliminated,  ///< from the deflection by static balance of moments: shear compliance without shear vibrations.
               ///< Sections that are rigid in shear (Euler-Bernoulli) stay perpendicular to the axis.
  independent  ///< a polynomial of its own, as in the source; brings as many shear modes (megahertz in a thin strip)
};

struct BezierBeamSpec {
  StraightBeam beam;
  int degree = 6;
  bool bends_along_y = true, bends_along_z = false, twists = false, stretches = false;
  BezierEnd root = BezierEnd::clamped, tip = BezierEnd::free;
  BezierShear shear = BezierShear::eliminated;
};

/// Throws MechanismError naming `link` for zero length, missing stiffness, and a degree too low for the end conditions.
ElasticModel bezier_beam_model(const std::string& link, const BezierBeamSpec& spec);

}  // namespace lithe
