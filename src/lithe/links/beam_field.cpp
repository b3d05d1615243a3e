#include <algorithm>

#include "lithe/links/beam_mesh.hpp"
#include "lithe/links/beam_parts.hpp"

// Displacements, rotations and foreshortening along a beam.

namespace lithe::detail {

namespace {

std::array<MatrixX, 3> zero_matrices(Eigen::Index n) {
  std::array<MatrixX, 3> zero;
  for (MatrixX& m : zero) m.setZero(n, n);
  return zero;
}

/// Foreshortening at xi of a piece, from that at its start: the chord of each bit of the axis shortens by half the
/// square of its slope, along the axis.
std::array<MatrixX, 3> advanced(std::array<MatrixX, 3> shortened, const BeamPiece& piece, const MatrixX& local,
                                double xi) {
  const MatrixX square = slope_square(piece, local, xi);
  for (int a = 0; a < 3; ++a) shortened[a] += piece.axes(a, 0) * square;
  return shortened;
}

}  // namespace

MatrixX slope_square(const BeamPiece& piece, const MatrixX& local, double xi) {
  MatrixX sum = MatrixX::Zero(local.cols(), local.cols());
  for (const auto& [at, weight] : gauss_places(0.0, xi, piece.element.length)) {
    const Eigen::RowVectorXd y = piece.element.slope_y(at) * local;
    const Eigen::RowVectorXd z = piece.element.slope_z(at) * local;
    sum += weight * (y.transpose() * y + z.transpose() * z);
  }
  return sum;
}

std::vector<FieldPoint> BeamMesh::points(const MatrixX& basis, bool stiffening) const {
  std::vector<FieldPoint> points;
  std::array<MatrixX, 3> shortened = zero_matrices(basis.cols());
  for (const BeamPiece& piece : pieces_) {
    const MatrixX local = gather(piece, basis);
    for (const auto& [xi, weight] : gauss_places_of(piece)) {
      const Section section = section_here(piece.at + xi * piece.element.length);
      FieldPoint p = point_at(piece, local, xi);
      p.mass = weight * section.mass_per_length;
      p.rotary = weight * rotary_inertia(section, piece.axes);
      if (stiffening) p.foreshortening = advanced(shortened, piece, local, xi);
      points.push_back(std::move(p));
    }
    if (stiffening) shortened = advanced(shortened, piece, local, 1.0);
  }
  for (const BeamMass& lump : spec_.masses) points.push_back(lump_at(at_distance(basis, lump.at, stiffening), lump));
  return points;
}

std::vector<Frame> BeamMesh::frames(const MatrixX& basis, bool stiffening) const {
  std::vector<Frame> frames;
  for (const BeamFrame& frame : all_frames(length_, spec_.frames))
    frames.push_back(frame_at(at_distance(basis, frame.at, stiffening), frame));
  return frames;
}

Axis::Point BeamMesh::axis_point(const MatrixX& basis, double at) const {
  const auto beyond = std::upper_bound(pieces_.begin() + 1, pieces_.end(), at,
                                       [](double distance, const BeamPiece& piece) { return distance < piece.at; });
  const BeamPiece& piece = *(beyond - 1);
  const MatrixX local = gather(piece, basis);
  const double xi = (at - piece.at) / piece.element.length;
  FieldPoint p = point_at(piece, local, xi);
  Axis::Point point{p.position, piece.axes.col(0), std::move(p.shape), {}};
  point.slopes.resize(2, basis.cols());
  point.slopes << piece.element.slope_y(xi) * local, piece.element.slope_z(xi) * local;
  return point;
}

Axis BeamMesh::axis(const MatrixX& basis) const {
  Axis axis;
  axis.length = length_;
  for (const BeamPiece& piece : pieces_) axis.ends.push_back(piece.at);
  axis.ends.push_back(length_);
  axis.frames = frame_distances(length_, spec_.frames);
  axis.sample(4, [&](double s) { return axis_point(basis, s); });  // cubics
  return axis;
}

FieldPoint BeamMesh::point_at(const BeamPiece& piece, const MatrixX& local, double xi) const {
  FieldPoint p;
  p.position = piece.start + piece.axes.col(0) * (xi * piece.element.length);
  // A few columns: a product for large matrices spends its time on packing them.
  using Rows = Eigen::Matrix<double, 3, 12>;
  p.shape = Rows(piece.axes * piece.element.displacement(xi)).lazyProduct(local);
  p.turn = Rows(piece.axes * piece.element.rotation(xi)).lazyProduct(local);
  return p;
}

FieldPoint BeamMesh::at_distance(const MatrixX& basis, double at, bool stiffening) const {
  std::array<MatrixX, 3> shortened = zero_matrices(basis.cols());
  for (std::size_t e = 0; e < pieces_.size(); ++e) {
    const BeamPiece& piece = pieces_[e];
    const bool last = e + 1 == pieces_.size();
    if (!last && at > piece.at + piece.element.length) {
      if (stiffening) shortened = advanced(shortened, piece, gather(piece, basis), 1.0);
      continue;
    }
    const MatrixX local = gather(piece, basis);
    const double xi = std::min(1.0, (at - piece.at) / piece.element.length);
    FieldPoint p = point_at(piece, local, xi);
    if (stiffening) p.foreshortening = advanced(shortened, piece, local, xi);
    return p;
  }
  return {};
}

}  // namespace lithe::detail
