#pragma once
// What beams of every kind share, by finite elements or by assumed shapes: sections along the axis, lumps, frames.

#include "lithe/links/beam.hpp"

namespace lithe::detail {

/// The section at a distance along the axis; at a step the one beyond it.
Section section_at(const std::vector<SectionStation>& stations, double at);

/// Ends of the pieces of the beam within which sections follow one linear law, from 0 to `length`.
std::vector<double> piece_ends(const std::vector<SectionStation>& stations, double length);

/// Rates of the two bending stiffnesses along the axis (N m) at the same place: (bending_y, bending_z).
Eigen::Vector2d bending_rates(const std::vector<SectionStation>& stations, double at);

/// The ways in which a beam deforms.
struct BeamMotions {
  bool bends_along_y = false, bends_along_z = false, twists = false, stretches = false;
};

/// Throws MechanismError naming `link` for missing sections, negative values, and motions without stiffness.
void check_sections(const std::string& link, const std::vector<SectionStation>& stations, const BeamMotions& motions);

/// Throws MechanismError naming `link` for a lump or a frame that is not on the beam.
void check_places(const std::string& link, double length, const std::vector<BeamMass>& masses,
                  const std::vector<BeamFrame>& frames);

/// Columns: section x along `direction`, y, z in link axes. Throws MechanismError when section_y lies along the axis.
Mat3 section_axes(const std::string& link, const Vec3& direction, const Vec3& section_y);

/// Second moments of mass per length of a section, link axes.
Mat3 rotary_inertia(const Section& section, const Mat3& axes);

/// The point of the axis turned into the lump that rides on it.
FieldPoint lump_at(FieldPoint axis, const BeamMass& lump);

/// "origin", "root", "tip" and those of the user.
std::vector<BeamFrame> all_frames(double length, const std::vector<BeamFrame>& of_user);
Frame frame_at(const FieldPoint& axis, const BeamFrame& frame);

/// Distance along the axis of each of these frames (m).
std::vector<double> frame_distances(double length, const std::vector<BeamFrame>& of_user);

/// M = sum of m Phi^T Phi + Psi^T J Psi.
MatrixX mass_matrix(const std::vector<FieldPoint>& points, Eigen::Index count);

/// Stiffness of the section against (stretching, shear y, shear z, twisting, bending about y, bending about z).
Eigen::Matrix<double, 6, 1> section_stiffness(const Section& section);

/// Stress sections along a beam; neighbours with the same section share one.
class StressSections {
 public:
  /// Empty where the section says nothing of stress.
  std::shared_ptr<const StressSection> of(const Section& section);

 private:
  Section last_section_;
  std::shared_ptr<const StressSection> last_;
};

/// Radius (m) of a round bar with about the area of the section, from sqrt(I_y I_z)/A (2 percent off for a rectangle,
/// exact for a circle); zero when the section does not say.
double drawn_radius(const Section& section);

}  // namespace lithe::detail
