#include "lithe/links/ritz_beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "lithe/errors.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/gauss_rule.hpp"

namespace lithe::detail {

namespace {

/// Places at which section forces are given and the outline is drawn.
constexpr int drawn_pieces = 20;

class RitzBeam : public ElasticField {
 public:
  RitzBeam(const std::string& link, StraightBeam beam, RitzShapes shapes)
      : beam_(std::move(beam)),
        shapes_(std::move(shapes)),
        rule_(gauss_rule(shapes_.gauss_points)),
        axes_(section_axes(link, beam_.direction, beam_.section_y)) {
    build_panels();
  }

  int count() const { return static_cast<int>(shapes_.names.size()); }
  const std::vector<std::string>& names() const { return shapes_.names; }

  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const override {
    std::vector<FieldPoint> points;
    MatrixX shortened = MatrixX::Zero(basis.cols(), basis.cols());
    double reached = 0.0;
    each_gauss_point([&](double s, double weight) {
      const Section section = section_at(beam_.stations, s);
      FieldPoint p = point_at(s, basis);
      p.mass = weight * section.mass_per_length;
      p.rotary = weight * rotary_inertia(section, axes_);
      if (stiffening) {
        shortened += shortening(reached, s, basis);
        reached = s;
        p.foreshortening = along_axis(shortened);
      }
      points.push_back(std::move(p));
    });
    for (const BeamMass& lump : beam_.masses) points.push_back(lump_at(axis_point(lump.at, basis, stiffening), lump));
    return points;
  }

  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const override {
    std::vector<Frame> frames;
    for (const BeamFrame& frame : all_frames(beam_.length, beam_.frames))
      frames.push_back(frame_at(axis_point(frame.at, basis, stiffening), frame));
    return frames;
  }

  Axis::Point axis_place(double s, const MatrixX& basis) const {
    const RitzFields fields = shapes_.at(s);
    Axis::Point point{axes_.col(0) * s, axes_.col(0), axes_ * fields.displacement * basis, {}};
    point.slopes.resize(2, basis.cols());
    point.slopes << fields.slope_y * basis, fields.slope_z * basis;
    return point;
  }

  /// Without its places.
  Axis axis(const MatrixX& basis) const override {
    Axis axis{beam_.length, panels_, frame_distances(beam_.length, beam_.frames), shapes_.gauss_points, false, {}};
    axis.sample(axis.gauss_points, [&](double s) { return axis_place(s, basis); });
    return axis;
  }

  MatrixX stiffness() const {
    MatrixX sum = MatrixX::Zero(count(), count());
    each_gauss_point([&](double s, double weight) {
      const Matrix6X strain = shapes_.at(s).strain;
      sum += strain.transpose() * (weight * section_stiffness(section_at(beam_.stations, s))).asDiagonal() * strain;
    });
    return sum;
  }

  /// Geometric stiffness of a unit tension along the beam.
  MatrixX tension_stiffness() const override {
    return shortening(0.0, beam_.length, MatrixX::Identity(count(), count()));
  }

  std::vector<SectionForces> section_forces(const MatrixX& basis) const override {
    std::vector<SectionForces> all;
    StressSections stresses;
    for (int i = 0; i <= drawn_pieces; ++i) {
      const double s = drawn_at(i);
      const RitzFields fields = shapes_.at(s);
      const Section section = section_at(beam_.stations, s);
      Matrix6X rows = section_stiffness(section).asDiagonal() * fields.strain;
      if (!shapes_.free_shear) {
        // Balance of a slice: dM_z/ds + Q_y = 0, dM_y/ds - Q_z = 0.
        const Eigen::Vector2d rates = bending_rates(beam_.stations, s);
        rows.row(1) = -(rates[0] * fields.strain.row(5) + section.bending_y * fields.strain_rate.row(5));
        rows.row(2) = rates[1] * fields.strain.row(4) + section.bending_z * fields.strain_rate.row(4);
      }
      all.push_back({fmt::format("{:.6g} m", s), axes_.col(0) * s, axes_, rows * basis, stresses.of(section)});
    }
    return all;
  }

  Outline outline(const MatrixX& basis) const override {
    Outline outline;
    for (int i = 0; i <= drawn_pieces; ++i) {
      const FieldPoint p = point_at(drawn_at(i), basis);
      outline.points.push_back({p.position, p.shape});
    }
    for (int i = 0; i < drawn_pieces; ++i) {
      const Section section = section_at(beam_.stations, (drawn_at(i) + drawn_at(i + 1)) / 2);
      outline.lines.push_back({i, i + 1, drawn_radius(section), i, section.profile, axes_.col(1)});
    }
    return outline;
  }

 private:
  /// Ends of the pieces over which everything is smooth: sections change their law only between panels.
  void build_panels() {
    const std::vector<double> ends = piece_ends(beam_.stations, beam_.length);
    panels_ = {0.0};
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const double length = ends[i + 1] - ends[i];
      const int pieces =
          shapes_.panel_length > 0 ? std::max(1, static_cast<int>(std::ceil(length / shapes_.panel_length))) : 1;
      for (int k = 1; k <= pieces; ++k) panels_.push_back(ends[i] + length * k / pieces);
    }
  }

  double drawn_at(int i) const { return beam_.length * i / drawn_pieces; }

  /// `visit(s, weight)` at all Gauss points, in order along the beam.
  template <class Visit>
  void each_gauss_point(Visit&& visit) const {
    for (std::size_t i = 0; i + 1 < panels_.size(); ++i) {
      const double length = panels_[i + 1] - panels_[i];
      for (Eigen::Index g = 0; g < rule_.at.size(); ++g)
        visit(panels_[i] + rule_.at[g] * length, rule_.weight[g] * length);
    }
  }

  FieldPoint point_at(double s, const MatrixX& basis) const {
    const RitzFields fields = shapes_.at(s);
    FieldPoint p;
    p.position = axes_.col(0) * s;
    p.shape = axes_ * fields.displacement * basis;
    p.turn = axes_ * fields.rotation * basis;
    return p;
  }

  FieldPoint axis_point(double s, const MatrixX& basis, bool stiffening) const {
    s = std::min(s, beam_.length);
    FieldPoint p = point_at(s, basis);
    if (stiffening) p.foreshortening = along_axis(shortening(0.0, s, basis));
    return p;
  }

  /// S of the piece of axis between two places: int (v'^T v' + w'^T w') ds.
  MatrixX shortening(double from, double to, const MatrixX& basis) const {
    MatrixX sum = MatrixX::Zero(count(), count());
    for (std::size_t i = 0; i + 1 < panels_.size(); ++i) {
      const double start = std::max(from, panels_[i]), length = std::min(to, panels_[i + 1]) - start;
      if (!(length > 0)) continue;
      for (Eigen::Index g = 0; g < rule_.at.size(); ++g) {
        const RitzFields fields = shapes_.at(start + rule_.at[g] * length);
        sum += rule_.weight[g] * length *
               (fields.slope_y.transpose() * fields.slope_y + fields.slope_z.transpose() * fields.slope_z);
      }
    }
    return basis.transpose() * sum * basis;
  }

  std::array<MatrixX, 3> along_axis(const MatrixX& shortened) const {
    return {axes_(0, 0) * shortened, axes_(1, 0) * shortened, axes_(2, 0) * shortened};
  }

  StraightBeam beam_;
  RitzShapes shapes_;
  GaussRule rule_;
  Mat3 axes_;                   ///< columns: section x, y, z in link axes
  std::vector<double> panels_;  ///< ends, from 0 to the length
};

}  // namespace

RitzFields::RitzFields(int count)
    : displacement(Matrix3X::Zero(3, count)),
      rotation(Matrix3X::Zero(3, count)),
      slope_y(Eigen::RowVectorXd::Zero(count)),
      slope_z(Eigen::RowVectorXd::Zero(count)),
      strain(Matrix6X::Zero(6, count)),
      strain_rate(Matrix6X::Zero(6, count)) {}

void check_straight(const std::string& link, const StraightBeam& beam) {
  if (!(beam.length > 0 && beam.direction.norm() > 0))
    throw MechanismError(link, fmt::format("link '{}': a beam of zero length; give a positive length", link));
  check_places(link, beam.length, beam.masses, beam.frames);
}

ElasticModel ritz_model(const std::string& link, const StraightBeam& straight, RitzShapes shapes) {
  const auto beam = std::make_shared<const RitzBeam>(link, straight, std::move(shapes));
  ElasticModel model;
  const MatrixX identity = MatrixX::Identity(beam->count(), beam->count());
  model.mass = mass_matrix(beam->points(identity, false), beam->count());
  model.stiffness = beam->stiffness();
  model.names = beam->names();
  model.field = beam;
  return model;
}

}  // namespace lithe::detail
