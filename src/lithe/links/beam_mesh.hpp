#pragma once
// The finite elements of a beam: pieces between nodes, numbered coordinates, sections along the axis, and the
// displacement field.

#include <array>
#include <string>
#include <vector>

#include "lithe/links/beam.hpp"
#include "lithe/links/beam_element.hpp"

namespace lithe::detail {

/// A place of an element where the section is evaluated, with its share of the length (m).
struct GaussPlace {
  double xi = 0.0, weight = 0.0;
};

/// Four Gauss points between two places of an element: products of two cubics with a linear factor are exact.
std::array<GaussPlace, 4> gauss_places(double from, double to, double length);

/// One element in its place.
struct BeamPiece {
  BeamElement element;
  Mat3 axes;        ///< columns: element x, y, z in link axes
  Vec3 start;       ///< first node, link axes
  double at = 0.0;  ///< distance of the first node along the beam
  int node = 0;     ///< first node; the second is the next one
};

/// Integral of the squared slopes from the start of a piece to its place xi, per column of `local` (node motions of the
/// piece in its own axes): twice what the axis shortens by there.
MatrixX slope_square(const BeamPiece& piece, const MatrixX& local, double xi);

class BeamMesh : public ElasticField {
 public:
  /// Throws MechanismError naming `link` for a beam that cannot be built.
  BeamMesh(std::string link, BeamSpec spec, const std::vector<BeamSupport>& supports);

  int count() const { return count_; }  ///< of coordinates
  const std::vector<BeamPiece>& pieces() const { return pieces_; }
  std::vector<std::string> names() const;
  Section section_here(double at) const;  ///< at a distance along the axis
  /// Gauss points of a piece, stretch by stretch between the stations inside it, so that steps and kinks are met
  /// exactly.
  std::vector<GaussPlace> gauss_places_of(const BeamPiece& piece) const;

  /// Node motions of a piece in its own axes (12 rows) per column of `basis` (rows: numbered coordinates).
  MatrixX gather(const BeamPiece& piece, const MatrixX& basis) const;

  // The displacement field (beam_field.cpp).
  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const override;
  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const override;
  Axis axis(const MatrixX& basis) const override;

  // What axial forces do; those constant over each element (beam_stress.cpp).
  MatrixX tension_stiffness() const override;
  void take_element_stress(const MatrixX& basis, LinkData& link) const override;

  // Stresses and pictures (beam_recovery.cpp).
  std::vector<SectionForces> section_forces(const MatrixX& basis) const override;
  Outline outline(const MatrixX& basis) const override;

  /// Sum over the pieces of 12 x 12 matrices in element axes, in the numbered coordinates.
  template <class Local>
  MatrixX assembled(Local&& local) const;

 private:
  [[noreturn]] void fail(const std::string& message) const;
  void check();
  void build_pieces();
  void number_coordinates(const std::vector<BeamSupport>& supports);
  Axis::Point axis_point(const MatrixX& basis, double at) const;
  FieldPoint point_at(const BeamPiece& piece, const MatrixX& local, double xi) const;
  FieldPoint at_distance(const MatrixX& basis, double at, bool stiffening) const;
  int place(const BeamPiece& piece, int motion) const { return place_[6 * piece.node + motion]; }

  std::string link_;
  BeamSpec spec_;
  std::vector<BeamPiece> pieces_;
  Mat3 axes_ = Mat3::Identity();  ///< of the first piece: node coordinates are along them
  std::vector<int> place_;        ///< per node motion: number of its coordinate or -1
  int count_ = 0;
  double length_ = 0.0;
};

template <class Local>
MatrixX BeamMesh::assembled(Local&& local) const {
  MatrixX sum = MatrixX::Zero(count_, count_);
  for (const BeamPiece& piece : pieces_) {
    ElementMatrix turn = ElementMatrix::Zero();
    for (int block = 0; block < 12; block += 3) turn.block<3, 3>(block, block) = piece.axes.transpose() * axes_;
    const ElementMatrix k = turn.transpose() * local(piece) * turn;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        if (place(piece, i) >= 0 && place(piece, j) >= 0) sum(place(piece, i), place(piece, j)) += k(i, j);
  }
  return sum;
}

}  // namespace lithe::detail
