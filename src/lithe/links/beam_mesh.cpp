#include "lithe/links/beam_mesh.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/gauss_rule.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

std::array<GaussPlace, 4> gauss_places(double from, double to, double length) {
  static const GaussRule rule = gauss_rule(4);
  std::array<GaussPlace, 4> places;
  for (int g = 0; g < 4; ++g) places[g] = {from + (to - from) * rule.at[g], rule.weight[g] * (to - from) * length};
  return places;
}

BeamMesh::BeamMesh(std::string link, BeamSpec spec, const std::vector<BeamSupport>& supports)
    : link_(std::move(link)), spec_(std::move(spec)) {
  check();
  build_pieces();
  number_coordinates(supports);
}

void BeamMesh::fail(const std::string& message) const {
  throw MechanismError(link_, fmt::format("link '{}': {}", link_, message));
}

void BeamMesh::check() {
  if (spec_.axis.size() < 2) fail("a beam needs at least two points on its axis");
  for (std::size_t i = 0; i + 1 < spec_.axis.size(); ++i)
    if (!((spec_.axis[i + 1] - spec_.axis[i]).norm() > 0)) fail("a beam of zero length; give a positive length");
  if (spec_.elements < 1) fail("a beam needs at least one element");
  check_sections(link_, spec_.stations, {spec_.bends_along_y, spec_.bends_along_z, spec_.twists, spec_.stretches});
  const Vec3 direction = (spec_.axis[1] - spec_.axis[0]).normalized();
  for (std::size_t i = 1; i + 1 < spec_.axis.size(); ++i)
    if ((spec_.axis[i + 1] - spec_.axis[i]).normalized().cross(direction).norm() > tolerance::written &&
        !spec_.stretches)
      fail("a bent axis needs stretching (and in space twisting and both bendings): its pieces share the same nodes");
}

void BeamMesh::build_pieces() {
  double at = 0.0;
  int node = 0;
  for (std::size_t i = 0; i + 1 < spec_.axis.size(); ++i) {
    const Vec3 way = spec_.axis[i + 1] - spec_.axis[i];
    const Mat3 axes = section_axes(link_, way, spec_.section_y);
    if (i == 0) axes_ = axes;
    for (int e = 0; e < spec_.elements; ++e) {
      const double length = way.norm() / spec_.elements;
      BeamPiece piece;
      piece.element.length = length;
      piece.axes = axes;
      piece.start = spec_.axis[i] + way * (static_cast<double>(e) / spec_.elements);
      piece.at = at;
      piece.node = node++;
      const Section middle = section_here(at + length / 2);
      if (middle.shear_y > 0) piece.element.phi_y = 12 * middle.bending_y / (middle.shear_y * length * length);
      if (middle.shear_z > 0) piece.element.phi_z = 12 * middle.bending_z / (middle.shear_z * length * length);
      at += length;
      pieces_.push_back(piece);
    }
  }
  length_ = at;
  check_places(link_, length_, spec_.masses, spec_.frames);
}

/// Node coordinates are along the axes of the first piece; those that the model leaves out, and those that a support
/// holds, get no number.
void BeamMesh::number_coordinates(const std::vector<BeamSupport>& supports) {
  const int nodes = static_cast<int>(pieces_.size()) + 1;
  const bool active[6] = {spec_.stretches, spec_.bends_along_y, spec_.bends_along_z,
                          spec_.twists,    spec_.bends_along_z, spec_.bends_along_y};
  place_.assign(6 * nodes, 0);
  for (int i = 0; i < 6 * nodes; ++i) place_[i] = active[i % 6] ? 0 : -1;
  for (const BeamSupport& support : supports) {
    int nearest = 0;
    double best = support.at;
    for (std::size_t e = 0; e < pieces_.size(); ++e) {
      const double distance = std::abs(pieces_[e].at + pieces_[e].element.length - support.at);
      if (distance < best) {
        best = distance;
        nearest = static_cast<int>(e) + 1;
      }
    }
    for (int k = 0; k < 6; ++k)
      if (k < 3 ? support.displacement : support.rotation) place_[6 * nearest + k] = -1;
  }
  count_ = 0;
  for (int& each : place_)
    if (each >= 0) each = count_++;
  if (count_ == 0) fail("the supports hold every coordinate of the beam");
}

std::vector<std::string> BeamMesh::names() const {
  static constexpr const char* motions[6] = {"x", "y", "z", "about x", "about y", "about z"};
  std::vector<std::string> names(count_);
  for (std::size_t i = 0; i < place_.size(); ++i)
    if (place_[i] >= 0) names[place_[i]] = fmt::format("node {} {}", i / 6, motions[i % 6]);
  return names;
}

Section BeamMesh::section_here(double at) const { return section_at(spec_.stations, at); }

std::vector<GaussPlace> BeamMesh::gauss_places_of(const BeamPiece& piece) const {
  std::vector<double> ends{0.0};
  for (const SectionStation& station : spec_.stations) {
    const double xi = (station.at - piece.at) / piece.element.length;
    if (xi > ends.back() + tolerance::written && xi < 1.0 - tolerance::written) ends.push_back(xi);
  }
  ends.push_back(1.0);
  std::vector<GaussPlace> places;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    for (const GaussPlace& place : gauss_places(ends[i], ends[i + 1], piece.element.length)) places.push_back(place);
  return places;
}

MatrixX BeamMesh::gather(const BeamPiece& piece, const MatrixX& basis) const {
  MatrixX nodes = MatrixX::Zero(12, basis.cols());
  for (int i = 0; i < 12; ++i) {
    if (place(piece, i) >= 0) nodes.row(i) = basis.row(place(piece, i));
  }
  const Mat3 turn = piece.axes.transpose() * axes_;
  for (int block = 0; block < 12; block += 3) nodes.middleRows<3>(block) = (turn * nodes.middleRows<3>(block)).eval();
  return nodes;
}

}  // namespace lithe::detail
