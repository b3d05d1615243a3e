#include "lithe/links/beam_mesh.hpp"
#include "lithe/links/beam_parts.hpp"

// Stress stiffening with one axial force per element, that at its middle, Fattah (5.18): a mass or frame beyond the
// middle of an element shortens with all of it, one before it not at all.

namespace lithe::detail {

namespace {

/// A mass at a distance along the beam.
struct MassPlace {
  double at = 0.0, mass = 0.0;
  Vec3 position = Vec3::Zero();
};

std::vector<MassPlace> masses_of(const BeamMesh& mesh) {
  std::vector<MassPlace> masses;
  for (const BeamPiece& piece : mesh.pieces())
    for (const double from : {0.0, 0.5})
      for (const auto& [xi, weight] : gauss_places(from, from + 0.5, piece.element.length)) {
        const double way = xi * piece.element.length;
        masses.push_back({piece.at + way, weight * mesh.section_here(piece.at + way).mass_per_length,
                          piece.start + piece.axes.col(0) * way});
      }
  return masses;
}

}  // namespace

MatrixX BeamMesh::tension_stiffness() const {
  const MatrixX each = MatrixX::Identity(12, 12);
  return assembled([&](const BeamPiece& piece) -> ElementMatrix { return slope_square(piece, each, 1.0); });
}

void BeamMesh::take_element_stress(const MatrixX& basis, LinkData& link) const {
  std::vector<MassPlace> masses = masses_of(*this);
  for (const BeamMass& lump : spec_.masses) {
    const FieldPoint p = lump_at(at_distance(basis, lump.at, false), lump);
    masses.push_back({lump.at, p.mass, p.position});
  }
  ElasticData& e = link.elastic;
  for (int b = 0; b < 3; ++b) {
    e.foreshortening[b].setZero();
    for (int a = 0; a < 3; ++a) e.position_foreshortening[a][b].setZero();
  }
  const std::vector<BeamFrame> places = all_frames(length_, spec_.frames);
  for (std::size_t f = 0; f < places.size(); ++f)
    for (MatrixX& shortened : link.frames[f].foreshortening) shortened.setZero(basis.cols(), basis.cols());

  link.axis.element_stress = true;
  for (const BeamPiece& piece : pieces_) {
    const MatrixX square = slope_square(piece, gather(piece, basis), 1.0);
    const double middle = piece.at + 0.5 * piece.element.length;
    double mass = 0.0;
    Vec3 moment = Vec3::Zero();
    for (const MassPlace& m : masses)
      if (m.at > middle) {
        mass += m.mass;
        moment += m.mass * m.position;
      }
    for (int b = 0; b < 3; ++b) {
      const double along = piece.axes(b, 0);
      e.foreshortening[b] += along * mass * square;
      for (int a = 0; a < 3; ++a) e.position_foreshortening[a][b] += along * moment[a] * square;
      for (std::size_t f = 0; f < places.size(); ++f)
        if (places[f].at > middle) link.frames[f].foreshortening[b] += along * square;
    }
  }
}

}  // namespace lithe::detail
