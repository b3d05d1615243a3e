#include "lithe/links/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "lithe/links/beam_element.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

namespace {

using namespace detail;  // NOLINT: beam elements are the inside of this file

/// Four Gauss points integrate products of two cubics exactly.
constexpr int gauss_count = 4;

struct Piece {
  BeamElement element;
  Mat3 axes;        ///< columns: element x, y, z in link axes
  Vec3 start;       ///< first node, link axes
  double at = 0.0;  ///< distance of the first node along the beam
  int node = 0;     ///< first node; the second is the next one
};

class Mesh {
 public:
  Mesh(std::string link, BeamSpec spec, const std::vector<BeamSupport>& supports)
      : link_(std::move(link)), spec_(std::move(spec)) {
    check();
    build_pieces();
    number_coordinates(supports);
  }

  int count() const { return count_; }
  double length() const { return length_; }

  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const {
    std::vector<FieldPoint> points;
    std::array<MatrixX, 3> shortened = zero_matrices(basis.cols());
    for (const Piece& piece : pieces_) {
      const MatrixX local = gather(piece, basis);
      for (int g = 0; g < gauss_count; ++g) {
        const Section section = section_at(spec_.stations, piece.at + gauss_.at[g] * piece.element.length);
        const double weight = gauss_.weight[g] * piece.element.length;
        FieldPoint p = point_at(piece, local, gauss_.at[g]);
        p.mass = weight * section.mass_per_length;
        p.rotary = weight * rotary_inertia(section, piece.axes);
        if (stiffening) p.foreshortening = advanced(shortened, piece, local, gauss_.at[g]);
        points.push_back(std::move(p));
      }
      if (stiffening) shortened = advanced(shortened, piece, local, 1.0);
    }
    for (const BeamMass& lump : spec_.masses) points.push_back(lump_at(at_distance(basis, lump.at, stiffening), lump));
    return points;
  }

  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const {
    std::vector<Frame> frames;
    for (const BeamFrame& frame : all_frames(length_, spec_.frames))
      frames.push_back(frame_at(at_distance(basis, frame.at, stiffening), frame));
    return frames;
  }

  /// The axis, in pieces short enough to look bent.
  Outline outline(const MatrixX& basis) const {
    constexpr int parts = 3;
    Outline outline;
    const auto add_point = [&](const Piece& piece, const MatrixX& local, double xi) {
      const FieldPoint p = point_at(piece, local, xi);
      outline.points.push_back({p.position, p.shape});
    };
    for (const Piece& piece : pieces_) {
      const MatrixX local = gather(piece, basis);
      if (outline.points.empty()) add_point(piece, local, 0.0);
      const double middle = piece.at + 0.5 * piece.element.length;
      for (int i = 1; i <= parts; ++i) {
        const int last = static_cast<int>(outline.points.size()) - 1;
        add_point(piece, local, static_cast<double>(i) / parts);
        outline.lines.push_back({last, last + 1, drawn_radius(section_at(spec_.stations, middle)), piece.node});
      }
    }
    return outline;
  }

  MatrixX stiffness() const {
    return assembled([&](const Piece& piece) {
      ElementMatrix k = ElementMatrix::Zero();
      const BeamElement& e = piece.element;
      for (int g = 0; g < gauss_count; ++g) {
        const Section s = section_at(spec_.stations, piece.at + gauss_.at[g] * e.length);
        const double weight = gauss_.weight[g] * e.length;
        const auto add = [&](double strength, const ShapeRow& row) {
          if (strength != 0.0) k += weight * strength * row.transpose() * row;
        };
        add(s.bending_y, e.curvature_y(gauss_.at[g]));
        add(s.bending_z, e.curvature_z(gauss_.at[g]));
        add(s.shear_y, e.shear_y());
        add(s.shear_z, e.shear_z());
        add(s.torsion, e.twist());
        add(s.axial, e.stretch());
      }
      return k;
    });
  }

  /// Geometric stiffness of a unit tension along the beam.
  MatrixX tension_stiffness() const {
    return assembled([&](const Piece& piece) {
      ElementMatrix k = ElementMatrix::Zero();
      for (int g = 0; g < gauss_count; ++g) {
        const double weight = gauss_.weight[g] * piece.element.length;
        const ShapeRow y = piece.element.slope_y(gauss_.at[g]), z = piece.element.slope_z(gauss_.at[g]);
        k += weight * (y.transpose() * y + z.transpose() * z);
      }
      return k;
    });
  }

  /// In the middle of every element. Balance of a slice gives the shear of a beam that is rigid in it: Q_y = -dM_z/ds,
  /// Q_z = dM_y/ds.
  std::vector<SectionForces> section_forces(const MatrixX& basis) const {
    std::vector<SectionForces> all;
    for (const Piece& piece : pieces_) {
      const BeamElement& e = piece.element;
      const double at = piece.at + e.length / 2;
      const Section s = section_at(spec_.stations, at);
      const ShapeRow slope_y = (e.curvature_y(1.0) - e.curvature_y(0.0)) / e.length;
      const ShapeRow slope_z = (e.curvature_z(1.0) - e.curvature_z(0.0)) / e.length;
      Eigen::Matrix<double, 6, 12> rows;
      rows << s.axial * e.stretch(), -s.bending_y * slope_y, -s.bending_z * slope_z, s.torsion * e.twist(),
          -s.bending_z * e.curvature_z(0.5), s.bending_y * e.curvature_y(0.5);
      all.push_back({fmt::format("{:.6g} m", at), piece.start + piece.axes.col(0) * (e.length / 2), piece.axes,
                     rows * gather(piece, basis)});
    }
    return all;
  }

  std::vector<std::string> names() const {
    static constexpr const char* motions[6] = {"x", "y", "z", "about x", "about y", "about z"};
    std::vector<std::string> names(static_cast<std::size_t>(count_));
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i] >= 0) names[static_cast<std::size_t>(place_[i])] = fmt::format("node {} {}", i / 6, motions[i % 6]);
    return names;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw MechanismError(link_, fmt::format("link '{}': {}", link_, message));
  }

  void check() {
    if (spec_.axis.size() < 2) fail("a beam needs at least two points on its axis");
    for (std::size_t i = 0; i + 1 < spec_.axis.size(); ++i)
      if (!((spec_.axis[i + 1] - spec_.axis[i]).norm() > 0)) fail("a beam of zero length; give a positive length");
    if (spec_.elements < 1) fail("a beam needs at least one element");
    check_sections(link_, spec_.stations, {spec_.bends_along_y, spec_.bends_along_z, spec_.twists, spec_.stretches});
    const Vec3 direction = (spec_.axis[1] - spec_.axis[0]).normalized();
    for (std::size_t i = 1; i + 1 < spec_.axis.size(); ++i)
      if ((spec_.axis[i + 1] - spec_.axis[i]).normalized().cross(direction).norm() > 1e-9 && !spec_.stretches)
        fail("a bent axis needs stretching (and in space twisting and both bendings): its pieces share the same nodes");
  }

  void build_pieces() {
    double at = 0.0;
    int node = 0;
    for (std::size_t i = 0; i + 1 < spec_.axis.size(); ++i) {
      const Vec3 way = spec_.axis[i + 1] - spec_.axis[i];
      const Mat3 axes = section_axes(link_, way, spec_.section_y);
      if (i == 0) axes_ = axes;
      for (int e = 0; e < spec_.elements; ++e) {
        const double length = way.norm() / spec_.elements;
        Piece piece;
        piece.element.length = length;
        piece.axes = axes;
        piece.start = spec_.axis[i] + way * (static_cast<double>(e) / spec_.elements);
        piece.at = at;
        piece.node = node++;
        const Section middle = section_at(spec_.stations, at + length / 2);
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
  void number_coordinates(const std::vector<BeamSupport>& supports) {
    const int nodes = static_cast<int>(pieces_.size()) + 1;
    const bool active[6] = {spec_.stretches, spec_.bends_along_y, spec_.bends_along_z,
                            spec_.twists,    spec_.bends_along_z, spec_.bends_along_y};
    place_.assign(static_cast<std::size_t>(6 * nodes), 0);
    for (int i = 0; i < 6 * nodes; ++i) place_[static_cast<std::size_t>(i)] = active[i % 6] ? 0 : -1;
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
        if (k < 3 ? support.displacement : support.rotation) place_[static_cast<std::size_t>(6 * nearest + k)] = -1;
    }
    count_ = 0;
    for (int& place : place_)
      if (place >= 0) place = count_++;
    if (count_ == 0) fail("the supports hold every coordinate of the beam");
  }

  /// Node motions of a piece in its own axes (12 rows) per column of `basis` (rows: numbered coordinates).
  MatrixX gather(const Piece& piece, const MatrixX& basis) const {
    MatrixX nodes = MatrixX::Zero(12, basis.cols());
    for (int i = 0; i < 12; ++i) {
      const int place = place_[static_cast<std::size_t>(6 * piece.node + i)];
      if (place >= 0) nodes.row(i) = basis.row(place);
    }
    const Mat3 turn = piece.axes.transpose() * axes_;
    for (int block = 0; block < 12; block += 3) nodes.middleRows<3>(block) = (turn * nodes.middleRows<3>(block)).eval();
    return nodes;
  }

  FieldPoint point_at(const Piece& piece, const MatrixX& local, double xi) const {
    FieldPoint p;
    p.position = piece.start + piece.axes.col(0) * (xi * piece.element.length);
    p.shape = piece.axes * (piece.element.displacement(xi) * local);
    p.turn = piece.axes * (piece.element.rotation(xi) * local);
    return p;
  }

  static std::array<MatrixX, 3> zero_matrices(Eigen::Index n) {
    std::array<MatrixX, 3> zero;
    for (MatrixX& m : zero) m.setZero(n, n);
    return zero;
  }

  /// Foreshortening at xi of a piece, from that at its start: the chord of each bit of the axis shortens by half the
  /// square of its slope, along the axis.
  std::array<MatrixX, 3> advanced(std::array<MatrixX, 3> shortened, const Piece& piece, const MatrixX& local,
                                  double xi) const {
    MatrixX sum = MatrixX::Zero(local.cols(), local.cols());
    for (int g = 0; g < gauss_count; ++g) {
      const double weight = gauss_.weight[g] * xi * piece.element.length;
      const Eigen::RowVectorXd y = piece.element.slope_y(gauss_.at[g] * xi) * local;
      const Eigen::RowVectorXd z = piece.element.slope_z(gauss_.at[g] * xi) * local;
      sum += weight * (y.transpose() * y + z.transpose() * z);
    }
    for (int a = 0; a < 3; ++a) shortened[static_cast<std::size_t>(a)] += piece.axes(a, 0) * sum;
    return shortened;
  }

  FieldPoint at_distance(const MatrixX& basis, double at, bool stiffening) const {
    std::array<MatrixX, 3> shortened = zero_matrices(basis.cols());
    for (std::size_t e = 0; e < pieces_.size(); ++e) {
      const Piece& piece = pieces_[e];
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

  template <class Local>
  MatrixX assembled(Local&& local) const {
    MatrixX sum = MatrixX::Zero(count_, count_);
    for (const Piece& piece : pieces_) {
      ElementMatrix k = local(piece);
      ElementMatrix turn = ElementMatrix::Zero();
      for (int block = 0; block < 12; block += 3) turn.block<3, 3>(block, block) = piece.axes.transpose() * axes_;
      k = (turn.transpose() * k * turn).eval();
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
          const int row = place_[static_cast<std::size_t>(6 * piece.node + i)];
          const int column = place_[static_cast<std::size_t>(6 * piece.node + j)];
          if (row >= 0 && column >= 0) sum(row, column) += k(i, j);
        }
    }
    return sum;
  }

  std::string link_;
  BeamSpec spec_;
  GaussRule gauss_ = gauss_rule(gauss_count);
  std::vector<Piece> pieces_;
  Mat3 axes_ = Mat3::Identity();
  std::vector<int> place_;  ///< per node motion: number of its coordinate or -1
  int count_ = 0;
  double length_ = 0.0;
};

}  // namespace

ElasticModel beam_model(const std::string& link, const BeamSpec& spec, const std::vector<BeamSupport>& supports) {
  const auto mesh = std::make_shared<const Mesh>(link, spec, supports);
  ElasticModel model;
  const MatrixX identity = MatrixX::Identity(mesh->count(), mesh->count());
  model.mass = mass_matrix(mesh->points(identity, false), mesh->count());
  model.stiffness = mesh->stiffness();
  model.names = mesh->names();
  model.points = [mesh](const MatrixX& basis, bool stiffening) { return mesh->points(basis, stiffening); };
  model.frames = [mesh](const MatrixX& basis, bool stiffening) { return mesh->frames(basis, stiffening); };
  model.tension_stiffness = [mesh] { return mesh->tension_stiffness(); };
  model.section_forces = [mesh](const MatrixX& basis) { return mesh->section_forces(basis); };
  model.outline = [mesh](const MatrixX& basis) { return mesh->outline(basis); };
  return model;
}

}  // namespace lithe
