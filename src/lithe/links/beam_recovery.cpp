#include <fmt/format.h>

#include <algorithm>

#include "lithe/links/beam_mesh.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/tolerances.hpp"

// Section forces along a beam, and its centre line for pictures.

namespace lithe::detail {

namespace {

/// What the outer part of the beam exerts on the inner one, per node motion of the element: N = EA u', M_x = GJ twist,
/// M_z = EI v'', M_y = -EI w'', and from moment equilibrium Q_y = -dM_z/dx, Q_z = dM_y/dx. The curvature is linear in
/// an element, so the shear force is constant; it equals kappa G A times the shear of the Timoshenko interpolation.
Eigen::Matrix<double, 6, 12> element_forces(const BeamElement& e, const Section& here, const Section& middle,
                                            double xi) {
  Eigen::Matrix<double, 6, 12> rows;
  rows.row(0) = here.axial * e.stretch();
  rows.row(1) = -middle.bending_y / e.length * (e.curvature_y(1.0) - e.curvature_y(0.0));
  rows.row(2) = -middle.bending_z / e.length * (e.curvature_z(1.0) - e.curvature_z(0.0));
  rows.row(3) = here.torsion * e.twist();
  rows.row(4) = -here.bending_z * e.curvature_z(xi);
  rows.row(5) = here.bending_y * e.curvature_y(xi);
  return rows;
}

/// The section at a place of an element, from the inside: a step at its node belongs to the neighbour.
double inside(double xi) { return std::min(std::max(xi, tolerance::written), 1.0 - tolerance::written); }

}  // namespace

std::vector<SectionForces> BeamMesh::section_forces(const MatrixX& basis) const {
  static constexpr std::pair<double, const char*> places[3] = {{0.0, "+"}, {0.5, ""}, {1.0, "-"}};
  std::vector<SectionForces> all;
  StressSections stresses;
  for (const BeamPiece& piece : pieces_) {
    const MatrixX local = gather(piece, basis);
    const double length = piece.element.length;
    const Section middle = section_here(piece.at + length / 2);
    for (const auto& [xi, side] : places) {
      SectionForces forces;
      forces.name = fmt::format("{:.6g} m{}", piece.at + xi * length, side);
      forces.position = piece.start + piece.axes.col(0) * (xi * length);
      forces.axes = piece.axes;
      const Section here = section_here(piece.at + inside(xi) * length);
      forces.rows = element_forces(piece.element, here, middle, xi) * local;
      forces.stress = stresses.of(here);
      all.push_back(std::move(forces));
    }
  }
  return all;
}

Outline BeamMesh::outline(const MatrixX& basis) const {
  Outline outline;
  const auto add_point = [&](const BeamPiece& piece, const MatrixX& local, double xi) {
    FieldPoint p = point_at(piece, local, xi);
    outline.points.push_back({p.position, std::move(p.shape)});
    return static_cast<int>(outline.points.size()) - 1;
  };
  int last = add_point(pieces_.front(), gather(pieces_.front(), basis), 0.0);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const BeamPiece& piece = pieces_[i];
    const MatrixX local = gather(piece, basis);
    const Section section = section_here(piece.at + piece.element.length / 2);
    // Three lines per element, so that its bending shows; all belong to the forces at its middle.
    for (const double third : {1.0, 2.0, 3.0}) {
      const int next = add_point(piece, local, third / 3.0);
      outline.lines.push_back(
          {last, next, drawn_radius(section), static_cast<int>(3 * i + 1), section.profile, piece.axes.col(1)});
      last = next;
    }
  }
  return outline;
}

}  // namespace lithe::detail
